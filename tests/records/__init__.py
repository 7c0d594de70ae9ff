"""Tests of the package ltrlib.records."""
