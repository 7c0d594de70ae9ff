"""What it costs to compute the book again (chapter 50)."""
