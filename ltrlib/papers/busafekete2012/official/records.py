"""The recorded tables of the official baselines: each number that LETOR 4.0 prints for a fold, by rankers of ours."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["AS_OFFICIAL", "DATASET", "FITS", "FOLDS", "METRICS", "PARTS", "PRECISIONS", "VALUES", "WRITTEN"]

DATASET = "mq2008"
FOLDS = (1, 2, 3, 4, 5)
PARTS = {"training": "train", "validation": "vali", "test": "test"}
"""As the official files name the parts of a fold, and as ours are called."""

METRICS = {
    **{f"NDCG@{k}": f"ndcg@{k}:letor4" for k in range(1, 11)},
    "MeanNDCG": "meanndcg:letor4",
    **{f"P@{k}": f"p@{k}:letor4" for k in range(1, 11)},
    "MAP": "map:letor4",
}
"""The columns of the official files, and how ltrlib writes them."""

AS_OFFICIAL = "as official"
"""The variant that follows the official settings as far as they are told."""

_MAKER = "ltrlib.papers.busafekete2012.official.runs:OFFICIAL"
_FIT = {"method": "str", "variant": "str", "repeat": "int", "fold": "int"}

VALUES = Table(
    "busafekete2012/official-values",
    {**_FIT, "part": "str", "metric": "str", "value": "float"},
    maker=_MAKER,
    form="parquet",
)
"""Metrics by the script of LETOR 4.0, for each part of each fold."""

FITS = Table("busafekete2012/official-fits", {**_FIT, "settings": "str", "size": "int", "done": "bool"}, maker=_MAKER)
"""What was trained: ``size`` is the number of rounds kept, of planes or of steps; ``done`` whether it converged."""

PRECISIONS = ("single", "double")
"""Floating point numbers in which features and thresholds are compared."""

WRITTEN = Table(
    "busafekete2012/official-written",
    {"digits": "int", "precision": "str", "fold": "int", "part": "str", "metric": "str", "value": "float"},
    maker="ltrlib.papers.busafekete2012.official.runs:WRITTEN_THRESHOLDS",
    form="parquet",
)
"""The metrics of RankBoost if its thresholds are written with so many significant digits before they are used."""
