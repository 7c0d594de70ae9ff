"""Who the oracle chooses from, on which data, and how large a difference would matter; fixed before any result."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["COPIES", "DATASETS", "GROUPS", "HALF", "LESSON_DATASETS", "NULLS", "REPEATS", "SETS", "TOP"]

TOP = 10
"""The paper's oracle chooses among the top ten primary submissions."""

COPIES = 10
"""As many seeds or bootstrap copies of one ranker."""

GROUPS: Mapping[str, str] = {
    "rankers": "the ten best of our rankers",
    "RankNet seeds": "ten seeds of RankNet",
    "CoordinateAscent seeds": "ten seeds of CoordinateAscent",
    "GBDT samples": "ten GBDTs, each from a third of the documents",
    "LambdaMART copies": "ten bootstrap copies of LambdaMART",
    "Ridge copies": "ten bootstrap copies of Ridge",
}
"""What the oracle chooses from: different rankers, as in the paper, and one ranker that is trained ten times."""

NULLS = tuple(group for group in GROUPS if group != "rankers")
"""The groups in which nothing but chance tells one member from another."""

DATASETS: Mapping[str, float] = {"mq2008": 1.0, "ohsumed": 1.0, "standin/yahoo-set1": 0.02}
"""Data sets with their scale: the challenge's own data cannot be had, so the last one only resembles them."""

HALF = 0.5
"""A margin is this share of what the paper prints.

*Is the oracle's gain a sign of different predictions?* Ten rankers must give more than ten copies of one by half of
the printed gain. *Do ranking losses gain more with linear functions than with trees?* By half of the gap between the
winner and the GBDT baseline, which the paper calls rather small: less than that is nobody's "substantial gain".
"""

LESSON_DATASETS = ("mq2008", "ohsumed")
REPEATS = 5
"""How often all queries are dealt anew into five sets."""

SETS = 5
"""As in LETOR: three sets train, one validates, one tests, in turn."""
