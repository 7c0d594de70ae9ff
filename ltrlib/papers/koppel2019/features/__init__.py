"""The same features for all: three networks on one input, and the pairs that DirectRanker trains on (chapter 44)."""
