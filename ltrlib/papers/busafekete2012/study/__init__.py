"""Rankers trained and evaluated under the NDCG of different tools (chapter 22)."""
