"""Second lesson of Chapelle and Chang (2011, section 6.3): what the large Set 1 adds to the small Set 2."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.loading import load
from ltrlib.metrics.engine import evaluate_data
from ltrlib.papers.chapelle2011.challenge import METRICS
from ltrlib.papers.chapelle2011.records import transfer_table
from ltrlib.published.tables import load_paper
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.linear import Ridge
from ltrlib.records.making import Done, Piece
from ltrlib.records.observed import remembered

__all__ = ["TREES", "compare", "fit_ranker", "joined", "pieces", "training_set", "training_sets"]

TREES = 300

_LOCAL = "Set 2 alone"
_NAMES = ("NDCG", "ERR")


def rankers(trees: int) -> dict[str, Ranker]:
    """One linear model and one of trees."""
    return {
        "linear (ridge)": Ridge(alpha=10.0),
        "trees (GBDT)": GBDT(
            trees=trees, leaves=20, learning_rate=0.1, min_leaf=10, target="satisfaction", metric=METRICS["NDCG"]
        ),
    }


def joined(first: RankingData, second: RankingData, *, weight: int = 1) -> RankingData:
    """Put two training parts together, the second one ``weight`` times: that is what weighting its documents means."""
    parts = [("first", first), *((f"second{copy}", second) for copy in range(weight))]
    # Both sets count their queries from 1, and a container wants different ids.
    return concatenate([replace(data, query_ids=np.char.add(f"{name}-", data.query_ids)) for name, data in parts])


def training_sets() -> dict[str, int]:
    """The three training sets, each with the weight of Set 2 beside Set 1; 0 leaves Set 1 out.

    Examples
    --------
    >>> training_sets()
    {'Set 2 alone': 0, 'both sets': 1, 'both, Set 2 weighted 7 to 1': 7}
    """
    weight = int(load_paper("chapelle2011").statement("transfer-weight").value)
    return {_LOCAL: 0, "both sets": 1, f"both, Set 2 weighted {weight} to 1": weight}


def training_set(name: str, first: RankingData, second: RankingData) -> RankingData:
    """Make one of the training sets."""
    weight = training_sets()[name]
    return joined(first, second, weight=weight) if weight else second


def pieces(sets: tuple[str, str], scale: float, judged_scale: float, trees: int) -> list[Piece]:
    """Every ranker on every training set."""
    chosen = {"sets": list(sets), "scale": scale, "judged_scale": judged_scale, "trees": trees}
    return [
        {"ranker": ranker, "training": training, **chosen} for ranker in rankers(trees) for training in training_sets()
    ]


@remembered()
def _load(sets: tuple[str, str], scale: float, judged_scale: float) -> tuple[RankingData, ...]:
    train = (load(name, "train", scale=scale) for name in sets)
    judged = (load(sets[1], part, scale=judged_scale) for part in ("valid", "test"))
    return *train, *judged


def fit_ranker(piece: Piece) -> pd.DataFrame:
    """Learn from one training set, choose the number of trees on Set 2's validation part, score its test part."""
    first, second, vali, test = _load(tuple(piece["sets"]), piece["scale"], piece["judged_scale"])
    data = training_set(piece["training"], first, second)
    ranker = rankers(piece["trees"])[piece["ranker"]]
    started = time.perf_counter()
    ranker.fit(data, vali)
    seconds = time.perf_counter() - started
    results = evaluate_data([METRICS[name] for name in _NAMES], test, ranker.predict(test.features))
    return pd.DataFrame({name: results[METRICS[name]].per_query for name in _NAMES}).assign(seconds=seconds)


def compare(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    """Compare the training sets over the test queries."""
    table = transfer_table(done[0].piece["sets"][1])
    values = {
        (one.piece["ranker"], one.piece["training"], name): one.tables[table.short][name].to_numpy()
        for one in done
        for name in _NAMES
    }
    seconds = {
        (one.piece["ranker"], one.piece["training"]): float(one.tables[table.short]["seconds"].iloc[0]) for one in done
    }
    rows = []
    for (ranker, training, metric), own in values.items():
        gain = own - values[ranker, _LOCAL, metric]
        error, gain_error = (float(v.std(ddof=1)) / math.sqrt(v.size) for v in (own, gain))
        cost = seconds[ranker, training]
        rows.append((ranker, training, metric, own.mean(), error, gain.mean(), gain_error, own.size, cost))
    return {table.short: pd.DataFrame(rows, columns=list(table.columns))}
