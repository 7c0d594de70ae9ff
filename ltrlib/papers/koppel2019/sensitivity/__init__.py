"""What data properties do to DirectRanker (chapter 43)."""
