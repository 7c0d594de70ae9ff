"""Does the wrong NDCG teach badly? The study's quick learners on resampled training queries (chapter 24)."""
