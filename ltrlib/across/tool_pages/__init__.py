"""A page for each evaluation tool: which NDCG it computes, how that was checked, and how it differs from the others."""
