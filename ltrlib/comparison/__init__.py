"""Compare methods over an incomplete set of results: winning numbers, Pareto fronts, bagplots.

Import from the modules: ``winning``, ``pareto``, ``bagplot``, ``depth``, ``drawing``, ``reading``.
"""
