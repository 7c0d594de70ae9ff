"""Names and columns of the records behind the Yahoo! chapters; light, because claims and pages read nothing else."""

from __future__ import annotations

from ltrlib.metrics.ndcg_by_tool import conventions

__all__ = ["BASELINES", "CORRELATION", "LESSON", "TRANSFER", "record_name"]

BASELINES = {
    "method": "str",
    "part": "str",
    "metric": "str",
    "value": "float",
    "standard_error": "float",
    "queries": "int",
    "fit_seconds": "float",
    "peak_gb": "float",
}
"""The three baselines: the mean over queries with its standard error, seconds of the fit, largest memory so far.

Metrics are ERR, NDCG as in the challenge, and ``NDCG:<tool>`` for every convention that has gains for the labels.
"""

CORRELATION = {"kind": "str", "details": "str", "err": "float", "ndcg": "float"}
CORRELATION |= {f"ndcg:{tool}": "float" for tool in conventions()}
"""One row per ranker of the population; NDCG as in the challenge, then under every convention."""

LESSON = {
    "functions": "str",
    "loss": "str",
    "ranker": "str",
    "metric": "str",
    "mean": "float",
    "standard_error": "float",
    "gain": "float",
    "gain_error": "float",
    "queries": "int",
    "seconds": "float",
}
"""Losses against classes of functions; ``gain`` is the difference to squared loss with the same class.

Metrics as for the baselines.
"""

TRANSFER = {
    "ranker": "str",
    "training": "str",
    "metric": "str",
    "mean": "float",
    "standard_error": "float",
    "gain": "float",
    "gain_error": "float",
    "queries": "int",
    "seconds": "float",
}
"""Training sets of the transfer track; ``gain`` is the difference to learning from Set 2 alone."""


def record_name(study: str, dataset: str) -> str:
    """Name of the record of a study on a data set.

    Examples
    --------
    >>> record_name("baselines", "standin/yahoo-set1")
    'chapelle2011/baselines-standin-yahoo-set1'
    """
    return f"chapelle2011/{study}-{dataset.replace('/', '-')}"
