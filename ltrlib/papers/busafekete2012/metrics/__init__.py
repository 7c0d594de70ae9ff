"""What each tool's convention does to NDCG (chapter 20)."""
