"""Protects ``explain``: parts that add up, that privilege no order, and that name the cause which made them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.errors import UsageError
from ltrlib.metrics import TOOLS, evaluate, explain, parse
from ltrlib.metrics.files import judge
from tests.helpers.metric_queries import random_queries

NDCG_TOOLS = sorted(TOOLS)
CHOICES = ["empty=0", "empty=1", "empty=0.5", "empty=skip"]


def parts_of(first: str, second: str, seed: int, **more: Any) -> tuple[float, dict[str, float], float]:
    queries = random_queries(12, seed=seed, longest=14)
    labels = np.minimum(queries.labels, 2)
    both = evaluate([first, second], labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids)
    found = explain(first, second, labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids, **more)
    return found.difference, found.parts, both[first].mean - both[second].mean


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(NDCG_TOOLS),
    st.sampled_from(NDCG_TOOLS),
    st.sampled_from(CHOICES),
    st.integers(1, 12),
    st.integers(0, 10**6),
)
def test_parts_add_up_to_the_difference_of_the_two_means(a: str, b: str, empty: str, k: int, seed: int) -> None:
    difference, parts, direct = parts_of(f"ndcg@{k}:{a}({empty})", f"ndcg@{k}:{b}", seed)
    assert difference == pytest.approx(direct, abs=1e-12)
    assert math.fsum(parts.values()) == pytest.approx(difference, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("map@5:lightgbm", "map@5:mslr"),
        ("map:catboost", "map:ranklib"),
        ("p@10:letor4", "p@10:xgboost"),
        ("dcg@5:sklearn", "dcg@5"),
        ("err(max_grade=2)", "err(ties=best)"),
        ("ndcg:xgboost", "ndcg:ranklib"),
        ("ndcg@5:yahoo", "ndcg@10:letor4"),
        ("meanndcg:letor4", "meanndcg"),
        ("recall@5:trec_eval", "recall@5:ranx"),
        ("rbp(p=0.8)", "rbp(p=0.5,worth=label)"),
    ],
)
def test_other_metrics_and_cut_offs_add_up_too(first: str, second: str) -> None:
    difference, parts, direct = parts_of(first, second, seed=4)
    assert difference == pytest.approx(direct, abs=1e-12)
    assert math.fsum(parts.values()) == pytest.approx(difference, abs=1e-12)
    assert parts


def test_a_part_is_the_mean_over_all_orders_of_switching() -> None:
    queries = random_queries(40, seed=5, longest=12)
    labels = np.minimum(queries.labels, 2)
    first, second = parse("ndcg@8:letor4(empty=1)"), parse("ndcg@8:sklearn")
    found = explain(first, second, labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids)
    choices = [cause.choice for cause in found.causes]
    assert set(choices) == {"empty", "short", "gain", "discount", "ties"}
    total = dict.fromkeys(choices, 0.0)
    orders = list(permutations(choices))
    means: dict[Any, float] = {}
    for order in orders:
        metric = replace(second, tool=None)
        for choice in order:
            switched = replace(metric, **{choice: getattr(first, choice)})
            for one in (metric, switched):
                if one not in means:
                    means[one] = evaluate(one, labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids)[
                        one
                    ].mean
            total[choice] += (means[switched] - means[metric]) / len(orders)
            metric = switched
    for cause in found.causes:
        assert cause.part == pytest.approx(total[cause.choice], abs=1e-12)
        assert cause.lowest - 1e-12 <= cause.part <= cause.highest + 1e-12


def test_exchanging_the_two_turns_every_sign() -> None:
    one, other = parts_of("ndcg@5:letor4", "ndcg@5:catboost", 9), parts_of("ndcg@5:catboost", "ndcg@5:letor4", 9)
    assert one[0] == -other[0]
    assert one[1] == pytest.approx({name: -part for name, part in other[1].items()}, abs=1e-14)


def test_two_queries_worked_by_hand() -> None:
    # Query a: labels 1, 0 ranked 0, 1: NDCG@1 is 0 everywhere. Query b: empty. Query c: one relevant document alone.
    labels, scores, offsets = [1, 0, 0, 1], [1.0, 2.0, 3.0, 0.0], [0, 2, 3, 4]
    found = explain("ndcg@2:yahoo", "ndcg@2:letor4", labels, scores, offsets, query_ids=["a", "b", "c"])
    # yahoo: 1/log2(3), 1, 1; letor4: 1 (rank 2 is not discounted), 0, 0 (shorter than 2).
    undiscounted = 1 / math.log2(3)
    assert found.means[0] == pytest.approx((undiscounted + 2) / 3)
    assert found.means[1] == pytest.approx(1 / 3)
    # In b two causes must both be switched for anything to change, so each has half of it.
    assert found.parts["empty queries"] == pytest.approx(0.5 / 3)
    assert found.parts["short lists"] == pytest.approx(1.5 / 3)
    assert found.parts["discount"] == pytest.approx((undiscounted - 1) / 3)
    assert found.parts["gain"] == 0.0
    by_name = {one.query: one for one in found.top}
    assert {query: one.parts_at for query, one in by_name.items()} == {"a": 2, "b": 1, "c": 2}
    assert by_name["a"].labels_first == (0, 1)
    assert sum(one.difference for one in found.top) == pytest.approx(found.difference)


def test_a_query_that_is_left_out_is_told_of_that_query_alone() -> None:
    labels, scores, offsets = [1, 0, 0, 0, 0, 1], [2.0, 1.0, 2.0, 1.0, 2.0, 1.0], [0, 2, 4, 6]
    found = explain("ndcg@2(empty=skip)", "ndcg@2", labels, scores, offsets, query_ids=["a", "b", "c"])
    assert found.causes[0].queries == 1
    assert [one.query for one in found.top] == ["b"]
    assert found.top[0].first is None
    assert found.top[0].difference == pytest.approx(found.difference)


def test_parts_at_each_rank_add_up_to_the_difference_at_that_rank() -> None:
    queries = random_queries(50, seed=6, longest=14)
    labels = np.minimum(queries.labels, 2)
    found = explain("ndcg@10:letor3", "ndcg@10:torchmetrics", labels, queries.scores, queries.offsets)
    assert list(found.by_rank) == list(range(1, 11))
    for k, parts in found.by_rank.items():
        first, second = f"ndcg@{k}:letor3", f"ndcg@{k}:torchmetrics"
        both = evaluate([first, second], labels, queries.scores, queries.offsets)
        assert sum(parts.values()) == pytest.approx(both[first].mean - both[second].mean, abs=1e-12)


def test_a_run_that_misses_queries_and_documents_shows_these_causes() -> None:
    both = judge({"1": {"a": 2, "b": 1}, "2": {"a": 1}}, {"1": {"a": 0.5, "c": 0.7}})
    found = explain(
        "ndcg@10:ranx",
        "ndcg@10(gain=linear)",
        both.labels,
        both.scores,
        both.query_offsets,
        judged=both.judged,
        query_ids=both.query_ids.tolist(),
    )
    assert found.parts["queries missing from the run"] < 0
    assert found.parts["ideal"] < 0
    assert sum(found.parts.values()) == pytest.approx(found.difference, abs=1e-12)


def test_queries_that_are_just_alike_are_told_once() -> None:
    labels, scores = [0, 0, 0, 0, 1, 0, 2, 0], [2.0, 1.0] * 4
    found = explain("ndcg@1:yahoo", "ndcg@1:letor4(gain=0/1/2)", labels, scores, [0, 2, 4, 6, 8])
    assert [(one.query, one.alike) for one in found.top] == [("1", 1)]
    assert sum(one.difference * (one.alike + 1) for one in found.top) == pytest.approx(found.difference)


def test_tools_with_one_convention_have_no_cause() -> None:
    found = explain("ndcg@10:yahoo", "ndcg@10:lightgbm", [1, 0], [1.0, 2.0], [0, 2])
    assert (found.difference, found.parts, found.top) == (0.0, {}, ())


def test_a_huge_cut_off_costs_no_more_than_the_list() -> None:
    found = explain("ndcg@2000000000:letor4", "ndcg@2000000000:sklearn", [1, 0, 0], [1.0, 2.0, 3.0], [0, 2, 3])
    assert found.top[0].parts_at == 2
    assert found.means[0] == 0.0


def test_what_cannot_be_explained_is_refused() -> None:
    with pytest.raises(UsageError, match="different metrics"):
        explain("ndcg@10", "map", [1], [1.0], [0, 1])
    with pytest.raises(UsageError, match="leaves out every query"):
        explain("ndcg@10(empty=skip)", "ndcg@10", [0], [1.0], [0, 1])
    with pytest.raises(UsageError, match="query ids"):
        explain("ndcg@10", "ndcg@10", [0], [1.0], [0, 1], query_ids=["a", "b"])
    with pytest.raises(UsageError, match="not in the gain table"):
        explain("ndcg@10:letor4", "ndcg@10", [4], [1.0], [0, 1])
