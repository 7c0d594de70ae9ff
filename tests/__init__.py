"""Tests, benchmarks and what they need; a package, so that benchmarks run with python -m."""
