"""Tests of the published numbers."""
