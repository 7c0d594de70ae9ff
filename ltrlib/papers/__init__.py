"""The replicated papers: a package for each, and in it a room for each chapter."""
