"""Learning to rank, replicated: metrics, rankers, data sets and checked claims.

Import what you need from the sub-packages; importing ``ltrlib`` alone loads nothing heavy.
"""

__version__ = "0.11.0"
