"""DirectRanker (Köppel et al. 2019)."""
