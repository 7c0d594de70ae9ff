"""The three baselines of Chapelle and Chang (2011, Table 5): one feature, RankSVM, boosted regression trees."""

from __future__ import annotations

import argparse
import math
import resource
import time

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.normalise import normalise_by_rank
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.chapelle2011.records import BASELINES, record_name
from ltrlib.progress import progress
from ltrlib.published.tables import load_paper
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.linear import SingleFeature
from ltrlib.rankers.ranksvm import RankSVM
from ltrlib.records.record import Record, write_record

__all__ = ["METRICS", "baselines", "is_yahoo", "load_parts", "record_baselines", "run"]

METRICS = {"ERR": "err:yahoo", "NDCG": "ndcg@10:yahoo"}
"""The metrics of section 5.1.1."""

_MODULES = (
    "ltrlib.datasets.normalise",
    "ltrlib.datasets.standins",
    "ltrlib.metrics.engine",
    "ltrlib.metrics.ndcg_by_tool",
    "ltrlib.rankers.base",
    "ltrlib.rankers.boosting",
    "ltrlib.rankers.gbdt",
    "ltrlib.rankers.linear",
    "ltrlib.rankers.cross_validation",
    "ltrlib.rankers.ranksvm",
    "ltrlib.papers.chapelle2011.baselines.runs",
)


def is_yahoo(dataset: str) -> bool:
    """Whether a data set has the challenge's features: one of the two sets, or a stand-in of one.

    Examples
    --------
    >>> is_yahoo("standin/yahoo-set1"), is_yahoo("mslr-web10k-sample")
    (True, False)
    """
    return dataset.removeprefix("standin/").startswith("yahoo-")


def load_parts(dataset: str, *, scale: float = 1.0) -> dict[str, RankingData]:
    """Load training, validation and test part; what is not normalised by rank yet is now, as in section 4.3.

    Parameters
    ----------
    dataset
        ``yahoo-set1``, ``standin/yahoo-set1``, or any other set: of those with folds, the first one.
    scale
        Size of a stand-in.

    Examples
    --------
    >>> {part: data.n_queries for part, data in load_parts("standin/yahoo-set1", scale=0.001).items()}
    {'train': 20, 'valid': 3, 'test': 7}
    """
    fold = load_fold(dataset, 1, scale=scale)
    parts = [fold.train, fold.vali, fold.test]
    if not is_yahoo(dataset):
        parts = normalise_by_rank(parts)
    return dict(zip(("train", "valid", "test"), parts, strict=True))


def baselines(dataset: str, *, trees: int | None = None, n_jobs: int = 1) -> dict[str, Ranker]:
    """Make the three rankers with the settings of section 4.4.

    Elsewhere than on the challenge's features, the best single feature takes the place of BM25F-SD. The paper's "number
    of nodes" is read as leaves; how small a leaf may be is not said.

    Parameters
    ----------
    dataset
        Decides the single feature.
    trees
        Number of trees; the paper's if not given.
    n_jobs
        Threads of the trees.

    Examples
    --------
    >>> baselines("yahoo-set1")["BM25F-SD"].feature, baselines("yahoo-set1")["GBDT"].trees
    (636, 2400)
    """
    paper = load_paper("chapelle2011")
    feature = int(paper.statement("bm25f-index").value) - 1 if is_yahoo(dataset) else None
    return {
        "BM25F-SD" if is_yahoo(dataset) else "best feature": SingleFeature(feature=feature, metric=METRICS["ERR"]),
        "RankSVM": RankSVM(C=paper.statement("ranksvm-c").value),
        "GBDT": GBDT(
            trees=int(paper.statement("gbdt-trees").value) if trees is None else trees,
            leaves=int(paper.statement("gbdt-nodes").value),
            learning_rate=paper.statement("gbdt-shrinkage").value,
            sampling=paper.statement("gbdt-sampling").value,
            target="satisfaction",
            patience=None,
            n_jobs=n_jobs,
        ),
    }


def run(parts: dict[str, RankingData], rankers: dict[str, Ranker]) -> pd.DataFrame:
    """Fit each ranker on the training part, score the two others.

    Nothing is chosen on the validation part: the paper's settings are given, and every tree is kept.

    Returns
    -------
    pandas.DataFrame
        As :data:`ltrlib.papers.chapelle2011.records.BASELINES` says; memory in GB.

    Examples
    --------
    >>> table = run(load_parts("standin/yahoo-set1", scale=0.001), baselines("standin/yahoo-set1", trees=2))
    >>> list(table["method"].unique()), list(table["metric"].unique())[:4]
    (['BM25F-SD', 'RankSVM', 'GBDT'], ['ERR', 'NDCG', 'NDCG:mslr', 'NDCG:yahoo'])
    """
    rows = []
    for method, ranker in progress(rankers.items(), what="baselines", unit="ranker"):
        started = time.perf_counter()
        ranker.fit(parts["train"])
        seconds = time.perf_counter() - started
        for part in ("valid", "test"):
            data = parts[part]
            scores = ranker.predict(data.features)
            results = evaluate_data(list(METRICS.values()), data, scores)
            found = {name: results[metric].per_query for name, metric in METRICS.items()}
            tools = ndcg_by_convention(data, scores, highest=real_set(data.source.name).max_label)
            for name, values in (found | {f"NDCG:{tool}": one for tool, one in tools.items()}).items():
                values = values[~np.isnan(values)]
                if not values.size:
                    continue
                error = float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.nan
                rows.append((method, part, name, float(values.mean()), error, values.size, seconds))
    table = pd.DataFrame(rows, columns=list(BASELINES)[:-1])
    table["peak_gb"] = _peak_gb()
    return table


def _peak_gb() -> float:
    # Linux counts in kilobytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def record_baselines(dataset: str, *, trees: int | None = None, scale: float = 1.0, n_jobs: int = 1) -> Record:
    """Run the baselines one after another and record the results with time and memory.

    Examples
    --------
    >>> record_baselines("yahoo-set3")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: no data set is called 'yahoo-set3'
      to do: choose one of mq2008...
    """
    started = time.perf_counter()
    parts = load_parts(dataset, scale=scale)
    rankers = baselines(dataset, trees=trees, n_jobs=n_jobs)
    table = pd.concat([run(parts, {method: ranker}) for method, ranker in rankers.items()], ignore_index=True)
    gbdt = rankers["GBDT"]
    assert isinstance(gbdt, GBDT)
    return write_record(
        record_name("baselines", dataset),
        table.astype({"queries": np.int64}),
        data=[data.source for data in parts.values()],
        maker=_MODULES,
        parameters={"trees": gbdt.trees, "scale": scale, "threads": n_jobs},
        seeds=[gbdt.seed],
        wall_time=time.perf_counter() - started,
        command=f"python -m ltrlib.papers.chapelle2011.baselines.runs {dataset} --trees {gbdt.trees} --scale {scale:g}",
    )


def main() -> None:
    """Record the baselines of a data set; without a name, those of the full-size stand-in."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("dataset", nargs="?", default="standin/yahoo-set1", help="default: %(default)s")
    parser.add_argument("--trees", type=int, help="the paper's number if not given")
    parser.add_argument("--scale", type=float, default=1.0, help="size of a stand-in")
    parser.add_argument("--threads", type=int, default=2, help="of the trees; default: %(default)s")
    given = parser.parse_args()
    record = record_baselines(given.dataset, trees=given.trees, scale=given.scale, n_jobs=given.threads)
    print(record.describe())


if __name__ == "__main__":
    main()
