"""Tests of claims and verdicts."""
