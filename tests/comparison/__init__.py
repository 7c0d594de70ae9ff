"""Tests of comparisons of methods."""
