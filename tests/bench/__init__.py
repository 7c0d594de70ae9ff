"""Benchmarks against peers: python -m tests.bench."""
