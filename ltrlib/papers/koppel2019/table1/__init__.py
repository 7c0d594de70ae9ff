"""Tables 1 and 2, trained again (chapter 42)."""
