"""Members for the oracle, and the first lesson on repeated splits; ``ltrlib record chapelle2011/oracle-mq2008``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.notation import parse
from ltrlib.papers.chapelle2011.baselines.lesson import load_normalised, models
from ltrlib.papers.chapelle2011.challenge import METRICS
from ltrlib.papers.chapelle2011.oracle import records
from ltrlib.papers.chapelle2011.oracle.members import drawn_again, members_of
from ltrlib.papers.chapelle2011.oracle.plans import COPIES, DATASETS, GROUPS, LESSON_DATASETS, REPEATS, SETS
from ltrlib.rankers.cross_validation import choose
from ltrlib.records.making import Done, Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["LESSON_SPLITS", "ORACLE", "deal", "standardised"]


def _values(data: RankingData, scores: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    found = evaluate_data(list(METRICS.values()), data, scores)
    return {name.lower(): found[parse(metric)].per_query for name, metric in METRICS.items()}


def standardised(scores: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores with mean 0 and variance 1 within each query; equal ones become 0.

    Examples
    --------
    >>> standardised(np.array([1.0, 3.0, 5.0, 5.0]), np.array([0, 2, 4])).tolist()
    [-1.0, 1.0, 0.0, 0.0]
    """
    sizes = np.diff(offsets)
    centred = scores - np.repeat(np.add.reduceat(scores, offsets[:-1]) / sizes, sizes)
    spread = np.sqrt(np.repeat(np.add.reduceat(centred**2, offsets[:-1]) / sizes, sizes))
    return np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-12)


def _folds(dataset: str) -> range:
    return range(1, 1 + sum(part.role == "train" for part in real_set(dataset).parts.values()))


def _oracle_pieces(dataset: str) -> list[Piece]:
    return [{"dataset": dataset, "group": group, "fold": fold} for group in GROUPS for fold in _folds(dataset)]


def _train_group(piece: Piece) -> pd.DataFrame:
    """All members of one group on one fold, and the sum of their scores."""
    fold = load_normalised(piece["dataset"], piece["fold"], DATASETS[piece["dataset"]])
    offsets, total = fold.test.query_offsets, np.zeros(fold.test.n_docs)
    tables = []
    for name, (ranker, draw) in members_of(piece["group"]).items():
        train = fold.train if draw is None else drawn_again(fold.train, draw)
        scores = ranker.fit(train, fold.vali).predict(fold.test.features)
        total += standardised(scores, offsets)
        tables.append(
            pd.DataFrame({"member": name, "query": fold.test.query_ids.tolist()} | _values(fold.test, scores))
        )
    tables.append(pd.DataFrame({"member": "sum", "query": fold.test.query_ids.tolist()} | _values(fold.test, total)))
    return pd.concat(tables, ignore_index=True).assign(**piece)


ORACLE = tuple(
    Run(
        tables=(records.members_of_oracle(dataset),),
        pieces=partial(_oracle_pieces, dataset),
        do=_train_group,
        parameters={"scale": scale},
        seeds=list(range(1, COPIES + 1)),
        needs=() if dataset.startswith("standin/") else (dataset,),
    )
    for dataset, scale in DATASETS.items()
)


# --- The first lesson on repeated splits ---


def deal(queries: int, repeat: int) -> list[NDArray[np.int64]]:
    """Deal queries into five sets.

    Examples
    --------
    >>> sorted(np.concatenate(deal(7, 1)).tolist())
    [0, 1, 2, 3, 4, 5, 6]
    """
    return [np.sort(one) for one in np.array_split(np.random.default_rng(repeat).permutation(queries), SETS)]


@remembered(2)
def _all_queries(dataset: str) -> RankingData:
    return concatenate([load(dataset, f"Fold{fold}/test") for fold in _folds(dataset)])


def _lesson_pieces() -> list[Piece]:
    return [
        {"dataset": dataset, "repeat": repeat, "tested": tested}
        for repeat in range(1, REPEATS + 1)
        for dataset in LESSON_DATASETS
        for tested in range(SETS)
    ]


def _fit_models(piece: Piece) -> pd.DataFrame:
    """The six models of the first lesson on one split, chosen and fitted as in chapter 32."""
    data, dealt = _all_queries(piece["dataset"]), deal(_all_queries(piece["dataset"]).n_queries, piece["repeat"])
    test, vali = (data.select_queries(dealt[(piece["tested"] + shift) % SETS]) for shift in (0, 1))
    train = data.select_queries(
        np.sort(np.concatenate([dealt[(piece["tested"] + shift) % SETS] for shift in (2, 3, 4)]))
    )
    tables = []
    for (functions, loss), (ranker, grid) in models().items():
        fitted, _, _ = choose(ranker, train, vali, grid=grid, metric=METRICS["NDCG"])
        values = _values(test, fitted.predict(test.features))
        tables.append(pd.DataFrame({"query": test.query_ids.tolist(), "functions": functions, "loss": loss} | values))
    return pd.concat(tables, ignore_index=True).assign(dataset=piece["dataset"], repeat=piece["repeat"])


def _sorted(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    rows = pd.concat([one.tables[records.SPLITS.short] for one in done], ignore_index=True)
    order = ["dataset", "query", "repeat", "functions", "loss"]
    return {records.SPLITS.short: rows.sort_values(order, kind="stable", ignore_index=True)}


LESSON_SPLITS = Run(
    tables=(records.SPLITS,),
    pieces=_lesson_pieces,
    do=_fit_models,
    join=_sorted,
    parameters={"repeats": REPEATS, "sets": SETS},
    seeds=list(range(1, REPEATS + 1)),
    needs=LESSON_DATASETS,
)
