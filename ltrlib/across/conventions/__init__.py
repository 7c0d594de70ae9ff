"""Recorded rankings under every tool's NDCG (chapter 61)."""
