"""Tests of the rooms: test_<paper>_<slug>.py."""
