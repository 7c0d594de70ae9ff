"""What the rooms share: the metrics of the challenge, and the data sets that stand in for its own."""

from __future__ import annotations

__all__ = ["METRICS", "NAMES", "is_yahoo"]

METRICS = {"ERR": "err:yahoo", "NDCG": "ndcg@10:yahoo"}
"""The metrics of section 5.1.1."""

NAMES = {
    "standin/yahoo-set1": "the stand-in of Set 1",
    "mq2008": "MQ2008",
    "ohsumed": "OHSUMED",
    "mslr-web10k-sample": "the MSLR sample",
}
"""Data sets of the experiments, as sentences call them."""


def is_yahoo(dataset: str) -> bool:
    """Whether a data set has the challenge's features: one of its two sets, or a stand-in of one.

    Examples
    --------
    >>> is_yahoo("standin/yahoo-set1"), is_yahoo("mslr-web10k-sample")
    (True, False)
    """
    return dataset.removeprefix("standin/").startswith("yahoo-")
