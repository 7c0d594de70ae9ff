"""What is known about MQ2008, counted again: the share of empty and short queries, and what they do to each tool."""

from __future__ import annotations

import numpy as np
import pytest

from ltrlib.datasets import RankingData, concatenate, is_here, load
from ltrlib.metrics import TOOLS
from ltrlib.metrics.bias import empty_share, perfect_scores, short_shares
from ltrlib.metrics.engine import evaluate_data

pytestmark = pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not on this machine: set LTRLIB_DATA")


@pytest.fixture(scope="module")
def folds() -> list[RankingData]:
    return [load("mq2008", part=f"Fold{fold}/test") for fold in range(1, 6)]


@pytest.fixture(scope="module")
def data(folds: list[RankingData]) -> RankingData:
    return concatenate(folds)


def test_empty_queries(folds: list[RankingData], data: RankingData) -> None:
    assert data.n_queries == 784
    assert empty_share(data.labels, data.query_offsets) == 220 / 784
    counted = [empty_share(fold.labels, fold.query_offsets) * fold.n_queries for fold in folds]
    assert sorted(round(count) for count in counted) == sorted([52, 45, 35, 37, 51])


def test_short_queries(data: RankingData) -> None:
    counted = (short_shares(data.query_offsets) * 784).round().astype(int).to_dict()
    assert counted == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 2, 7: 10, 8: 64, 9: 403, 10: 403}


def test_a_perfect_ranking_under_every_tool(data: RankingData) -> None:
    """0.7194 where empty queries score 0, 1 where they score 1, and LETOR's fall to 0.3737."""
    table = perfect_scores(data.labels, data.query_offsets).round(4)
    letor = [0.7194] * 5 + [0.7181, 0.713, 0.6607, 0.3737, 0.3737]
    for tool in TOOLS:
        if tool in ("letor3", "letor4", "mslr"):
            expected = letor
        else:
            expected = [1.0 if tool in ("yahoo", "lightgbm", "xgboost", "catboost") else 0.7194] * 10
        assert list(table.loc[tool]) == expected, tool


def test_yahoo_adds_exactly_the_empty_share_to_ranklib(data: RankingData) -> None:
    for feature in (0, 24, 38):
        found = evaluate_data(["ndcg@10:yahoo", "ndcg@10:ranklib"], data, data.features[:, feature])
        added = found["ndcg@10:yahoo"].mean - found["ndcg@10:ranklib"].mean
        assert added == pytest.approx(220 / 784, abs=1e-14)


def test_document_ids_come_from_the_file(data: RankingData) -> None:
    """All scores equal: trec_eval then ranks by id alone, which is not the order of the file."""
    scores = np.zeros(data.n_docs)
    by_id = evaluate_data("ndcg@10:trec_eval", data, scores)["ndcg@10:trec_eval"].per_query
    by_row = evaluate_data(name := "ndcg@10:trec_eval(ties=last)", data, scores)[name].per_query
    assert data.doc_ids is not None
    descending = np.lexsort((data.doc_ids[: data.query_offsets[1]],))[::-1]
    first = data.labels[descending][0]
    top = data.labels[: data.query_offsets[1]].max()
    at_one = evaluate_data("ndcg@1:trec_eval", data, scores)["ndcg@1:trec_eval"].per_query[0]
    assert at_one == (first / top if top else 0.0)
    assert not np.array_equal(by_id, by_row)
