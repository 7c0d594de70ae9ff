"""A cross-benchmark comparison of 87 methods (Tax et al. 2015)."""
