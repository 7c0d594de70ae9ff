"""Experiments of the chapters: each function computes one table from data sets, rankers and metrics."""
