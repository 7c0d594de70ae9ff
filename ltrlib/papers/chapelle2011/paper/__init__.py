"""The challenge's own numbers (chapter 30)."""
