"""What is trained: the official methods with the official settings, and with one thing changed at a time.

Plain values only: the page shows them without loading a ranker, and ``runs`` turns them into rankers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ltrlib.papers.busafekete2012.official.records import AS_OFFICIAL
from ltrlib.published.tables import load_table

__all__ = ["COSTS", "METHODS", "STARTS", "Variant", "official_settings", "variants"]

METHODS = ("RankBoost", "RankSVM-Struct", "AdaRank-MAP", "AdaRank-NDCG", "ListNet")
"""The official baselines of LETOR 4.0."""

STARTS = 20
"""Random points at which the solver of RankSVM-Struct starts, besides 0: each ends elsewhere within its tolerance."""

COSTS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""The trade-offs C from which the validation part chooses."""

_EXACT = 1e-6
_PLANES = 5000


@dataclass(frozen=True)
class Variant:
    """One way to train a method.

    Parameters
    ----------
    method, name
        The official method, and what is changed.
    ranker
        Name of our class.
    settings
        Its parameters; C is that of SVM-rank, which is divided by the number of training queries.
    repeats
        How often it is trained: with as many seeds, or from as many starting points.
    fixed
        Setting that the official files tell for each fold: ``c`` or ``rounds``; nothing is then chosen on validation.
    factor
        By what C is multiplied.
    per_query
        Whether C is divided by the number of training queries.
    """

    method: str
    name: str
    ranker: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    repeats: int = 1
    fixed: str = ""
    factor: float = 1.0
    per_query: bool = True


def official_settings(method: str, fold: int) -> dict[str, str]:
    """What the official files tell of a fold of MQ2008, as printed; empty for methods whose settings are not told.

    Examples
    --------
    >>> official_settings("RankSVM-Struct", 1)["c"], official_settings("RankBoost", 2)["rounds"]
    ('10', '11')
    """
    table, row = load_table("letor4", "settings"), f"{method} / LETOR 4.0 MQ2008 / {fold}"
    return dict(table.cells.get(row, {}))


def _rankboost() -> list[Variant]:
    official = {"thresholds": 255, "stumps": "at_least", "metric": "map:letor4"}
    rest = {
        "256 thresholds": {**official, "thresholds": 256},
        "feature > threshold": {**official, "stumps": "above"},
        "every value is a threshold": {**official, "thresholds": None},
        "10 thresholds": {**official, "thresholds": 10},
    }
    return [
        Variant("RankBoost", AS_OFFICIAL, "RankBoost", {**official, "rounds": 600}),
        *(Variant("RankBoost", name, "RankBoost", settings, fixed="rounds") for name, settings in rest.items()),
    ]


def _ranksvm() -> list[Variant]:
    method = "RankSVM-Struct"
    hinge = {"loss": "hinge", "tolerance": 0.001, "max_iterations": _PLANES}
    squared = {"loss": "squared", "tolerance": 1e-6}
    factors = {"C / 10": 0.1, "C / 3": 1 / 3, "3 C": 3.0, "10 C": 10.0}
    return [
        Variant(method, AS_OFFICIAL, "RankSVM", hinge, repeats=STARTS + 1, fixed="c"),
        Variant(method, "solved exactly", "RankSVM", {**hinge, "tolerance": _EXACT}, fixed="c"),
        *(Variant(method, name, "RankSVM", hinge, fixed="c", factor=factor) for name, factor in factors.items()),
        Variant(method, "errors squared", "RankSVM", squared, fixed="c"),
        Variant(method, "errors squared, C per pair", "RankSVM", squared, fixed="c", per_query=False),
        *(Variant(method, f"C = {cost:g}", "RankSVM", {**hinge, "C": cost}) for cost in COSTS),
    ]


def _adarank() -> list[Variant]:
    found = []
    for method, metrics in (
        ("AdaRank-MAP", ("map:letor4",)),
        ("AdaRank-NDCG", ("ndcg@10:letor4", "meanndcg:letor4", "ndcg@5:letor4", "ndcg@10:ranklib")),
    ):
        for number, metric in enumerate(metrics):
            for weighting in ("cumulative", "paper"):
                main = number == 0 and weighting == "cumulative"
                name = AS_OFFICIAL if main else f"{metric}, weights as in {_AS[weighting]}"
                settings = {"metric": metric, "weighting": weighting}
                found.append(Variant(method, name, "AdaRank", settings))
    return found


_AS = {"cumulative": "RankLib", "paper": "the paper"}


def variants() -> tuple[Variant, ...]:
    """Everything that is trained, in the order of the record.

    Examples
    --------
    >>> [one.name for one in variants() if one.method == "RankBoost"][:2]
    ['as official', '256 thresholds']
    """
    listnet = Variant("ListNet", AS_OFFICIAL, "ListNet", {"metric": "map:letor4"}, repeats=5)
    return (*_rankboost(), *_ranksvm(), *_adarank(), listnet)
