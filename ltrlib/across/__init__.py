"""What goes across the papers: our own runs, and everything compared with them."""
