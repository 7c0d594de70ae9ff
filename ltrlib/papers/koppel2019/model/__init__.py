"""When a network that compares documents defines an order (chapter 41)."""
