"""ERR, NDCG and the cascade users (chapter 31)."""
