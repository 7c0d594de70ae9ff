"""The method on a small made-up table (chapter 11)."""
