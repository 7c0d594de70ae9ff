"""Length and difficulty of queries, as recorded; ``ltrlib record chapelle2011/difficulty``."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.features import normalise_by_rank
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.papers.chapelle2011.paper.difficulty import DATASETS, ENGINES, concordance, pool_size
from ltrlib.papers.chapelle2011.records import DIFFICULTY as TABLE
from ltrlib.rankers.linear import Ridge
from ltrlib.records.making import Piece, Run

__all__ = ["DIFFICULTY", "difficulty"]

_SETS = 5
_SEED = 0


def difficulty(data: RankingData) -> pd.DataFrame:
    """Documents, difficulty and pool of each query that has documents of different labels.

    Each fifth of the queries is ranked by what was learnt from the other four, so no query is ranked by itself.
    """
    rng = np.random.default_rng(_SEED)
    dealt = np.array_split(rng.permutation(data.n_queries), _SETS)
    fifths = np.array_split(rng.permutation(data.n_features), ENGINES)
    columns = [np.arange(data.n_features), *fifths]
    rows = []
    for tested in dealt:
        test = data.select_queries(np.sort(tested))
        train = data.select_queries(np.setdiff1d(np.arange(data.n_queries), tested))
        whole, *engines = (_scores(train, test, chosen) for chosen in columns)
        bounds = zip(test.query_offsets[:-1].tolist(), test.query_offsets[1:].tolist(), strict=True)
        for query, (start, end) in zip(test.query_ids.tolist(), bounds, strict=True):
            found = concordance(test.labels[start:end], whole[start:end])
            rows.append((str(query), end - start, found, pool_size([one[start:end] for one in engines])))
    table = pd.DataFrame(rows, columns=["query", "documents", "concordance", "pool"])
    return table.dropna().sort_values("query", kind="stable", ignore_index=True)


def _scores(train: RankingData, test: RankingData, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    # What an engine does not see is the same for all documents.
    def seen(data: RankingData) -> NDArray[np.float32]:
        features = np.zeros_like(data.features)
        features[:, columns] = data.features[:, columns]
        return features

    hidden = RankingData(seen(train), train.labels, train.query_offsets, train.query_ids, None, train.source)
    return Ridge(alpha=10.0).fit(hidden).predict(seen(test))


def _pieces() -> list[Piece]:
    return [{"dataset": dataset} for dataset in DATASETS]


def _do(piece: Piece) -> pd.DataFrame:
    dataset = piece["dataset"]
    whole = concatenate([load(dataset, part) for part in real_set(dataset).once])
    (data,) = normalise_by_rank([whole])
    return difficulty(data).assign(dataset=dataset)


DIFFICULTY = Run(tables=(TABLE,), pieces=_pieces, do=_do, seeds=[_SEED], needs=DATASETS)
