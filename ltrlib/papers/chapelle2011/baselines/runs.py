"""The three baselines of Table 5 and the two lessons of section 6.3, as recorded."""

from __future__ import annotations

import contextlib
import math
import resource
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.features import normalise_by_rank
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.chapelle2011 import records
from ltrlib.papers.chapelle2011.baselines import lesson, transfer
from ltrlib.papers.chapelle2011.baselines.text_match import text_match
from ltrlib.papers.chapelle2011.challenge import METRICS, is_yahoo
from ltrlib.published.tables import load_paper
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.ranksvm import RankSVM
from ltrlib.records.making import Piece, Run

__all__ = ["BASELINES", "LESSON", "TRANSFER", "baselines", "baselines_run", "lesson_run", "load_parts", "transfer_run"]


def load_parts(dataset: str, *, scale: float = 1.0) -> dict[str, RankingData]:
    """Load training, validation and test part of the first fold, normalised by rank as in section 4.3.

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
    """Make the three rankers with the settings of section 4.4, or with another number of trees.

    The paper's "number of nodes" is read as leaves; how small a leaf may be is not said.

    Examples
    --------
    >>> list(baselines("yahoo-set1")), baselines("yahoo-set1")["GBDT"].trees
    (['BM25F-SD', 'RankSVM', 'GBDT'], 2400)
    """
    paper = load_paper("chapelle2011")
    return {
        "BM25F-SD" if is_yahoo(dataset) else "best feature": text_match(dataset),
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


def fit_baseline(piece: Piece) -> dict[str, pd.DataFrame]:
    """Fit one ranker on the training part, and score the two others; of the test part every query is kept.

    Nothing is chosen on the validation part: the settings are given, and every tree is kept.
    """
    dataset, method = piece["dataset"], piece["method"]
    _forget_peak()
    parts = load_parts(dataset, scale=piece["scale"])
    ranker = baselines(dataset, trees=piece["trees"], n_jobs=piece["threads"])[method]
    started = time.perf_counter()
    ranker.fit(parts["train"])
    seconds = time.perf_counter() - started
    rows, queries = [], pd.DataFrame()
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
            rows.append((method, part, name, float(values.mean()), error, values.size, seconds, _peak_gb()))
        if part == "test":
            queries = pd.DataFrame({"method": method, "query": data.query_ids.astype(object)} | found)
    table = records.baselines_table(dataset)
    return {
        table.short: pd.DataFrame(rows, columns=list(table.columns)),
        records.baseline_queries(dataset).short: queries,
    }


def _forget_peak() -> None:
    # Linux then counts the peak from now on: what the process did before must not count for this ranker.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_gb() -> float:
    # Linux counts in kilobytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _baseline_pieces(dataset: str, trees: int | None, scale: float, threads: int) -> list[Piece]:
    # Without a number of trees a piece reads the paper's itself, and is seen to depend on it.
    chosen = {"dataset": dataset, "trees": trees, "scale": scale, "threads": threads}
    return [{"method": method, **chosen} for method in baselines(dataset)]


def baselines_run(dataset: str, *, trees: int | None = None, scale: float = 1.0, threads: int | None = None) -> Run:
    """How the baselines of a data set are recorded.

    Parameters
    ----------
    dataset
        Any data set or stand-in; of those with folds, the first is taken.
    trees
        Trees of GBDT; the paper's number if not given.
    scale
        Size of a stand-in.
    threads
        Threads of GBDT, on which its model does not depend; two for data as large as the challenge's if not given.
    """
    gbdt = baselines(dataset, trees=trees)["GBDT"]
    assert isinstance(gbdt, GBDT)
    threads = threads or (2 if is_yahoo(dataset) else 1)
    return Run(
        tables=(records.baselines_table(dataset), records.baseline_queries(dataset)),
        pieces=partial(_baseline_pieces, dataset, trees, scale, threads),
        do=fit_baseline,
        parameters={"trees": gbdt.trees, "scale": scale, "threads": threads},
        seeds=[gbdt.seed],
        needs=_needs(dataset),
    )


def lesson_run(dataset: str, *, scale: float = 1.0) -> Run:
    """How the first lesson is recorded on a data set, or on a stand-in of some size."""
    return Run(
        tables=(records.lesson_table(dataset),),
        pieces=partial(lesson.pieces, dataset, scale),
        do=lesson.fit_model,
        join=lesson.compare,
        parameters={"scale": scale, "chosen_by": METRICS["NDCG"]},
        seeds=[0],
        needs=_needs(dataset),
    )


def transfer_run(
    sets: tuple[str, str] = ("standin/yahoo-set1", "standin/yahoo-set2"),
    *,
    scale: float = 1.0,
    judged_scale: float = 1.0,
    trees: int = transfer.TREES,
) -> Run:
    """How the second lesson is recorded.

    Parameters
    ----------
    sets
        Names of the large and of the small set.
    scale, judged_scale
        Size of the stand-ins' training parts, and of the validation and test part.
    trees
        Largest number of trees.
    """
    return Run(
        tables=(records.transfer_table(sets[1]),),
        pieces=partial(transfer.pieces, sets, scale, judged_scale, trees),
        do=transfer.fit_ranker,
        join=transfer.compare,
        parameters={"scale": scale, "trees": trees},
        seeds=[0],
        needs=_needs(*sets),
    )


def _needs(*datasets: str) -> tuple[str, ...]:
    return tuple(name for name in datasets if not name.startswith("standin/"))


BASELINES = tuple(baselines_run(dataset) for dataset in records.BASELINES)
LESSON = tuple(lesson_run(dataset, scale=0.05 if dataset.startswith("standin/") else 1.0) for dataset in records.LESSON)
TRANSFER = transfer_run(scale=0.1)
