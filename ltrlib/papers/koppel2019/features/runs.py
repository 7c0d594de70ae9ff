"""Networks on the same features; ``ltrlib record koppel2019/features-methods`` makes one of the records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.notation import parse
from ltrlib.papers.koppel2019.features import records
from ltrlib.papers.koppel2019.features.equal_pairs import EqualPairs
from ltrlib.papers.koppel2019.features.plans import (
    DATASETS,
    FORMS,
    METHOD_FORMS,
    METHODS,
    PAIR_FORM,
    PAIRINGS,
    SEEDS,
    splits_of,
)
from ltrlib.papers.koppel2019.features.transforms import described, in_form
from ltrlib.papers.koppel2019.table1.methods import METHODS as TABLE1
from ltrlib.papers.koppel2019.table1.methods import VARIANT_BASE
from ltrlib.papers.koppel2019.table1.protocol import BINARY, GRADED, prepared
from ltrlib.rankers.base import Ranker
from ltrlib.records.making import Done, Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["METHOD_RUN", "PAIR_RUN", "SPREAD_RUN", "network"]

_PLACE = ["dataset", "split", "query"]


@remembered(32)
def _part(dataset: str, part: str, form: str, binary: bool) -> RankingData:
    """A part under the paper's protocol, or with all queries and labels; the form is made from the whole file."""
    whole = load(dataset, part)
    shaped = whole.with_features(in_form(whole.features, form))
    kept = prepared(dataset, part, transform=False, drop=binary)
    # The protocol drops queries and sorts the rest: take their rows from the file that was brought into form.
    place = {query: number for number, query in enumerate(whole.query_ids.tolist())}
    chosen = shaped.select_queries(np.array([place[query] for query in kept.query_ids.tolist()]))
    return kept.with_features(np.ascontiguousarray(chosen.features))


def network(method: str, seed: int) -> Ranker:
    """A network that takes its features as they come: DirectRanker in the middle of its grid, others by default.

    Examples
    --------
    >>> network("RankNet", 3).get_params()["standardise"]
    False
    """
    if method == "DirectRanker":
        return TABLE1[method].at(VARIANT_BASE, seed)
    return TABLE1[method].at(TABLE1[method].points[0], seed)


def _method_pieces() -> list[Piece]:
    return [
        {"method": method, "form": form, "dataset": dataset, "split": split, "seed": seed}
        for dataset in DATASETS
        for split in splits_of(dataset)
        for form in METHOD_FORMS
        for method in METHODS
        for seed in SEEDS
    ]


def _train(piece: Piece) -> dict[str, pd.DataFrame]:
    """One network on one form of the features of one split."""
    names = splits_of(piece["dataset"])[piece["split"]]
    train, test = (_part(piece["dataset"], name, piece["form"], True) for name in names)
    ranker = network(piece["method"], piece["seed"]).fit(train)
    found = evaluate_data(list(BINARY.values()), test, ranker.predict(test.features))
    values = {name: found[parse(metric)].per_query for name, metric in BINARY.items()}
    queries = pd.DataFrame({**piece, "query": test.query_ids.tolist(), **values})
    means = {name: float(one.mean()) for name, one in values.items()}
    return {"runs": pd.DataFrame([{**piece, "queries": test.n_queries, **means}]), "queries": queries}


def _joined(done: Sequence[Done], by: Sequence[str], values: Sequence[str]) -> list[pd.DataFrame]:
    """Rows of the seeds, and of the queries their mean over the seeds."""
    runs, queries = (pd.concat([one.tables[name] for one in done], ignore_index=True) for name in ("runs", "queries"))
    means = queries.groupby([*by, *_PLACE], sort=False)[list(values)].mean().round(12).reset_index()
    return [runs, means.sort_values([*_PLACE, *by], kind="stable", ignore_index=True)]


def _join_methods(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    names = [records.METHOD_RUNS.short, records.METHOD_QUERIES.short]
    return dict(zip(names, _joined(done, ["method", "form"], list(BINARY)), strict=True))


METHOD_RUN = Run(
    tables=(records.METHOD_RUNS, records.METHOD_QUERIES),
    pieces=_method_pieces,
    do=_train,
    join=_join_methods,
    seeds=list(SEEDS),
    needs=DATASETS,
)


# --- Which pairs, and which output ---


def _pair_pieces() -> list[Piece]:
    return [
        {"pairing": pairing, "dataset": dataset, "split": split, "seed": seed}
        for dataset in DATASETS
        for split in splits_of(dataset)
        for pairing in PAIRINGS
        for seed in SEEDS
    ]


def _train_on_pairs(piece: Piece) -> dict[str, pd.DataFrame]:
    """DirectRanker on graded labels, with one choice of pairs."""
    names = splits_of(piece["dataset"])[piece["split"]]
    train, test = (_part(piece["dataset"], name, PAIR_FORM, False) for name in names)
    ranker = EqualPairs(**(VARIANT_BASE | dict(PAIRINGS[piece["pairing"]])), seed=piece["seed"]).fit(train)
    metric = parse(GRADED["ndcg_all"])
    values = evaluate_data(metric, test, ranker.predict(test.features))[metric].per_query
    queries = pd.DataFrame({**piece, "query": test.query_ids.tolist(), "ndcg": values})
    row = {**piece, "queries": test.n_queries, "ndcg": float(values.mean())}
    return {"runs": pd.DataFrame([row]), "queries": queries}


def _join_pairs(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    names = [records.PAIR_RUNS.short, records.PAIR_QUERIES.short]
    return dict(zip(names, _joined(done, ["pairing"], ["ndcg"]), strict=True))


PAIR_RUN = Run(
    tables=(records.PAIR_RUNS, records.PAIR_QUERIES),
    pieces=_pair_pieces,
    do=_train_on_pairs,
    join=_join_pairs,
    seeds=list(SEEDS),
    needs=DATASETS,
)


# --- What the features look like ---


def _spread_pieces() -> list[Piece]:
    parts = [(dataset, train) for dataset in DATASETS for train, _ in splits_of(dataset).values()]
    return [{"dataset": dataset, "part": part, "form": form} for dataset, part in parts for form in FORMS]


def _describe(piece: Piece) -> pd.DataFrame:
    features = load(piece["dataset"], piece["part"]).features
    return pd.DataFrame([{**piece, **described(in_form(features, piece["form"]))}])


SPREAD_RUN = Run(tables=(records.SPREADS,), pieces=_spread_pieces, do=_describe, needs=DATASETS)
