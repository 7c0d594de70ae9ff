"""The playground: one list typed into the page, scored by every tool's NDCG, ERR and average precision at once."""
