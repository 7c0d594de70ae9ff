"""Baselines and lessons (chapter 32)."""
