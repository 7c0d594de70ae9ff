"""Which NDCG the results behind Table B.6 are, how many comparisons are within noise, and checks from outside."""
