"""Table B.6 audited (chapter 12)."""
