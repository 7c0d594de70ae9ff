"""What is compared, and how large a difference would matter; fixed before the first result was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "CELLS",
    "DATASETS",
    "FORMS",
    "METHODS",
    "METHOD_FORMS",
    "PAIRINGS",
    "PAIR_FORM",
    "SEEDS",
    "SPREAD",
    "splits_of",
]

SEEDS = range(5)

DATASETS = ("mq2008", "mslr-web10k-sample")
"""MQ2008 in its five folds; the sample of MSLR-WEB10K trained on one of its two parts and tested on the other."""

METHODS = ("DirectRanker", "RankNet", "ListNet")
"""The networks of Table 1: DirectRanker in the middle of the authors' grid, the two others with RankLib's defaults."""

FORMS = {
    "raw": "as they are",
    "standardised": "mean 0, standard deviation 1/3",
    "authors": "the authors' normal quantiles, divided by 3",
    "averaged": "normal quantiles of averaged ranks, scaled to 1/3",
}
"""Forms of the features, each made from one file alone as the authors do; every method gets them without more ado."""

METHOD_FORMS = ("raw", "authors", "averaged")
"""Forms on which the networks are trained."""

SPREAD = 1 / 3
"""The standard deviation of which the paper speaks."""

PAIR_FORM = "authors"
"""Form of the features in the experiment on pairs."""

PAIRINGS: Mapping[str, Mapping[str, Any]] = {
    "neighbours": {},
    "all classes": {"classes": "all"},
    "equal classes too": {"equal": True},
    "identity": {"output": "identity"},
}
"""Which pairs DirectRanker trains on, or with which output; the first is what the authors' code does (with tanh)."""

CELLS = {"mq2008": "mq2008", "mslr-web10k-sample": "mslr"}
"""The columns of Table 1 from which the margins come.

Two questions, two margins. *Does DirectRanker lead as printed?* Half of the lead that Table 1 prints. *Does another
transform, pair or output change DirectRanker?* The standard error that Table 1 prints for DirectRanker: a change that
the paper's own error bar would hide does not matter.
"""


def splits_of(dataset: str) -> dict[int, tuple[str, str]]:
    """Training and test part by the number of the split.

    Examples
    --------
    >>> splits_of("mslr-web10k-sample")
    {1: ('train', 'test'), 2: ('test', 'train')}
    """
    if dataset == "mq2008":
        return {fold: (f"Fold{fold}/train", f"Fold{fold}/test") for fold in range(1, 6)}
    return {1: ("train", "test"), 2: ("test", "train")}
