"""Second lesson of Chapelle and Chang (2011, section 6.3): what the large Set 1 adds to the small Set 2."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.loading import is_here, load
from ltrlib.metrics.engine import evaluate_data
from ltrlib.papers.chapelle2011.records import TRANSFER, record_name
from ltrlib.progress import progress
from ltrlib.published.tables import load_paper
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.linear import Ridge
from ltrlib.records.record import Record, read_record, write_record

__all__ = ["joined", "record_transfer", "results", "shared_features", "training_sets", "transfer"]

SETS = ("standin/yahoo-set1", "standin/yahoo-set2")
SCALE = 0.1
TREES = 300

_LOCAL = "Set 2 alone"
_METRICS = {"NDCG": "ndcg@10:yahoo", "ERR": "err:yahoo"}
_MODULES = (
    "ltrlib.datasets.container",
    "ltrlib.datasets.standins",
    "ltrlib.metrics.engine",
    "ltrlib.rankers.base",
    "ltrlib.rankers.boosting",
    "ltrlib.rankers.gbdt",
    "ltrlib.rankers.linear",
    "ltrlib.papers.chapelle2011.baselines.transfer",
)


def joined(first: RankingData, second: RankingData, *, weight: int = 1) -> RankingData:
    """Put two training parts together, the second one ``weight`` times: that is what weighting its documents means.

    Examples
    --------
    >>> first, second = (load(name, "train", scale=0.001) for name in SETS)
    >>> joined(first, second, weight=7).n_docs == first.n_docs + 7 * second.n_docs
    True
    """
    parts = [("first", first), *((f"second{copy}", second) for copy in range(weight))]
    # Both sets count their queries from 1, and a container wants different ids.
    return concatenate([replace(data, query_ids=np.char.add(f"{name}-", data.query_ids)) for name, data in parts])


def shared_features(first: RankingData, second: RankingData) -> int:
    """Count the features that are defined in both sets: those with any value but 0 in each.

    Examples
    --------
    >>> shared_features(*(load(name, "train", scale=0.05) for name in SETS))
    415
    """
    return int(np.count_nonzero(first.features.any(axis=0) & second.features.any(axis=0)))


def training_sets(first: RankingData, second: RankingData) -> dict[str, RankingData]:
    """Make the three training sets: Set 2 alone, both, and both with the weight that one winner gave to Set 2.

    Examples
    --------
    >>> list(training_sets(*(load(name, "train", scale=0.001) for name in SETS)))
    ['Set 2 alone', 'both sets', 'both, Set 2 weighted 7 to 1']
    """
    weight = int(load_paper("chapelle2011").statement("transfer-weight").value)
    return {
        _LOCAL: second,
        "both sets": joined(first, second),
        f"both, Set 2 weighted {weight} to 1": joined(first, second, weight=weight),
    }


def transfer(
    sets: tuple[str, str] = SETS, *, scale: float = SCALE, judged_scale: float = 1.0, trees: int = TREES
) -> tuple[pd.DataFrame, list[RankingData]]:
    """Learn from each training set, choose the number of trees on Set 2's validation part, score its test part.

    Parameters
    ----------
    sets
        Names of the large and of the small set.
    scale, judged_scale
        Size of the stand-ins' training parts, and of the validation and test part; 1 for real data.
    trees
        Largest number of trees.

    Returns
    -------
    pandas.DataFrame, list of RankingData
        As :data:`ltrlib.papers.chapelle2011.records.TRANSFER` says (errors over queries, that of a gain over the paired
        differences); and the data used.

    Examples
    --------
    >>> table, _ = transfer(scale=0.002, judged_scale=0.002, trees=3)
    >>> len(table)
    12
    """
    first, train = (load(name, "train", scale=scale) for name in sets)
    vali, test = (load(sets[1], part, scale=judged_scale) for part in ("valid", "test"))
    rankers: dict[str, Ranker] = {
        "linear (ridge)": Ridge(alpha=10.0),
        "trees (GBDT)": GBDT(
            trees=trees, leaves=20, learning_rate=0.1, min_leaf=10, target="satisfaction", metric=_METRICS["NDCG"]
        ),
    }
    values: dict[tuple[str, str, str], NDArray[np.float64]] = {}
    seconds: dict[tuple[str, str], float] = {}
    for training, data in progress(training_sets(first, train).items(), what="transfer", unit="training set"):
        for title, ranker in rankers.items():
            started = time.perf_counter()
            ranker.fit(data, vali)
            seconds[title, training] = time.perf_counter() - started
            results = evaluate_data(list(_METRICS.values()), test, ranker.predict(test.features))
            values |= {(title, training, name): results[metric].per_query for name, metric in _METRICS.items()}
    rows = []
    for (title, training, metric), own in sorted(values.items(), key=lambda item: list(rankers).index(item[0][0])):
        gain = own - values[title, _LOCAL, metric]
        error, gain_error = (float(v.std(ddof=1)) / math.sqrt(v.size) for v in (own, gain))
        cost = seconds[title, training]
        rows.append((title, training, metric, own.mean(), error, gain.mean(), gain_error, own.size, cost))
    return pd.DataFrame(rows, columns=list(TRANSFER)), [first, train, vali, test]


def results(dataset: str) -> tuple[pd.DataFrame, Record | None]:
    """Results of the experiment: on the real pair when the data set is the real Set 1 and Set 2 is here, else recorded.

    Examples
    --------
    >>> table, record = results("standin/yahoo-set1")
    >>> record.standin
    True
    """
    if dataset == "yahoo-set1" and is_here("yahoo-set2"):
        return transfer(("yahoo-set1", "yahoo-set2"), scale=1.0)[0], None
    record = read_record(record_name("transfer", SETS[1]), TRANSFER)
    return record.table, record


def record_transfer() -> Record:
    """Run the experiment on the pair of stand-ins and record it."""
    started = time.perf_counter()
    table, data = transfer()
    return write_record(
        record_name("transfer", SETS[1]),
        table,
        data=[one.source for one in data],
        maker=_MODULES,
        parameters={"scale": SCALE, "trees": TREES},
        seeds=[0],
        wall_time=time.perf_counter() - started,
        command="python -m ltrlib.papers.chapelle2011.baselines.transfer",
    )


def main(arguments: Sequence[str]) -> None:
    """Record the experiment."""
    print(record_transfer().describe())


if __name__ == "__main__":
    main(sys.argv[1:])
