"""Figures of the chapters: each function takes computed results and returns the figure and its text alternative."""
