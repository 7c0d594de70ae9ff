"""Pareto fronts of Table B.6 (chapter 13)."""
