"""The hidden results behind Table B.6 (chapter 14)."""
