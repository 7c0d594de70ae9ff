"""Tests of what goes across the papers."""
