"""Rankers behind one small interface: ``fit(train, vali)``, ``predict(features)``, ``save``, ``load``.

>>> from ltrlib.rankers import RankSVM
>>> RankSVM(C=200.0).get_params()
{'C': 200.0, 'tolerance': 0.001, 'max_iterations': 100, 'loss': 'squared'}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.errors import UsageError
from ltrlib.extras import load_module

if TYPE_CHECKING:
    from ltrlib.rankers.adarank import AdaRank
    from ltrlib.rankers.base import Ranker
    from ltrlib.rankers.coordinate_ascent import CoordinateAscent
    from ltrlib.rankers.directranker import DirectRanker
    from ltrlib.rankers.gbdt import GBDT
    from ltrlib.rankers.lambdamart import LambdaMART
    from ltrlib.rankers.linear import LinearRegression, Ridge, SingleFeature
    from ltrlib.rankers.neural import ListNet, RankNet
    from ltrlib.rankers.random_forest import RandomForest
    from ltrlib.rankers.rankboost import RankBoost
    from ltrlib.rankers.ranksvm import RankSVM

__all__ = [
    "AdaRank",
    "CoordinateAscent",
    "DirectRanker",
    "GBDT",
    "LambdaMART",
    "LinearRegression",
    "ListNet",
    "RandomForest",
    "RankBoost",
    "RankNet",
    "RankSVM",
    "Ranker",
    "Ridge",
    "SingleFeature",
    "ranker_class",
]

# Module of each ranker: they differ in what they import (JAX, LightGBM, scikit-learn), so each is loaded alone.
_HOMES = {
    "AdaRank": "adarank",
    "CoordinateAscent": "coordinate_ascent",
    "DirectRanker": "directranker",
    "GBDT": "gbdt",
    "LambdaMART": "lambdamart",
    "LinearRegression": "linear",
    "ListNet": "neural",
    "RandomForest": "random_forest",
    "RankBoost": "rankboost",
    "RankNet": "neural",
    "RankSVM": "ranksvm",
    "Ranker": "base",
    "Ridge": "linear",
    "SingleFeature": "linear",
}


def ranker_class(name: str) -> type[Ranker]:
    """Find a ranker by its name.

    Examples
    --------
    >>> ranker_class("AdaRank").__name__
    'AdaRank'
    >>> ranker_class("AdaBoost")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: there is no ranker 'AdaBoost'
      to do: choose AdaRank, CoordinateAscent, DirectRanker, GBDT, LambdaMART, LinearRegression, ListNet, RandomForest,
      RankBoost, RankNet, RankSVM, Ridge, SingleFeature
    """
    known = [entry for entry in _HOMES if entry != "Ranker"]
    if name not in known:
        raise UsageError(f"there is no ranker {name!r}", cure=f"choose {', '.join(known)}")
    found: type[Ranker] = __getattr__(name)
    return found


def __getattr__(name: str) -> type[Ranker]:
    if name in _HOMES:
        found: type[Ranker] = getattr(load_module(f"{__name__}.{_HOMES[name]}"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
