"""NDCG tools disagree (Busa-Fekete et al. 2012)."""
