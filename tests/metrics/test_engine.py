"""The engine on hand-worked cases, and on input that is wrong, odd or large."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path

import numpy as np
import pytest

from ltrlib.errors import UsageError
from ltrlib.metrics import NDCG, Evaluator, MetricValues, evaluate, parse
from ltrlib.metrics.tool_table import behaviour_table
from ltrlib.metrics.tools import TOOLS

# Three queries worked by hand: a short one, an empty one, and twelve documents with ties, in file order.
LABELS = np.array([1, 2, 0] + [0] * 4 + [0, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1])
SCORES = np.array([3, 2, 1, 4, 3, 2, 1, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0], dtype=float)
OFFSETS = np.array([0, 3, 7, 19])
BY_HAND = {
    "letor4": {1: (0.3333, 0, 0), 2: (1, 0, 0.5), 3: (1, 0, 0.4524), 5: (0, 0, 0.4629), 10: (0, 0, 0.51)},
    "mslr": {1: (0.3333, 0, 0), 2: (1, 0, 0.5), 3: (1, 0, 0.4524), 5: (0, 0, 0.4629), 10: (0, 0, 0.51)},
    "ranklib": {1: (0.3333, 0, 0), 2: (0.7967, 0, 0.3869), 3: (0.7967, 0, 0.351), 10: (0.7967, 0, 0.4278)},
    "yahoo": {1: (0.3333, 1, 0), 2: (0.7967, 1, 0.3869), 3: (0.7967, 1, 0.351), 10: (0.7967, 1, 0.4278)},
    "trec_eval": {1: (0.5, 0, 1), 2: (0.8597, 0, 0.6131), 5: (0.8597, 0, 0.5308), 10: (0.8597, 0, 0.6628)},
}


@pytest.mark.parametrize("tool", BY_HAND)
def test_ndcg_of_the_hand_worked_queries(tool: str) -> None:
    for k, values in BY_HAND[tool].items():
        found = evaluate(f"ndcg@{k}:{tool}", LABELS, SCORES, OFFSETS)[f"ndcg@{k}:{tool}"].per_query
        np.testing.assert_allclose(found, values, atol=0.5e-4)


def test_average_precision_and_err_of_the_hand_worked_queries() -> None:
    found = evaluate(["map:letor4", "map:mslr", "map:trec_eval", "err:yahoo"], LABELS, SCORES, OFFSETS)
    np.testing.assert_allclose(found["map:letor4"].per_query, [1, 0, 0.4418], atol=0.5e-4)
    np.testing.assert_allclose(found["map:mslr"].per_query, [0.5, 0, 0.3409], atol=0.5e-4)
    np.testing.assert_allclose(found["map:trec_eval"].per_query, [1, 0, 0.5459], atol=0.5e-4)
    np.testing.assert_allclose(found["err:yahoo"].per_query, [0.1504, 0, 0.1284], atol=0.5e-4)


def test_the_three_denominators_of_average_precision_at_k() -> None:
    """Six relevant documents, one of them found, at rank 2 of 3: 1/2 over 6, over min(3, 6), over 1."""
    labels, scores = [0, 1, 0, 1, 1, 1, 1, 1], [9, 8, 7, 6, 5, 4, 3, 2]
    for denominator, value in (("relevant", 1 / 12), ("cutoff", 1 / 6), ("found", 1 / 2)):
        assert evaluate(metric := f"map@3(denominator={denominator})", labels, scores, [0, 8])[metric].mean == value


@pytest.mark.parametrize(("rule", "mean"), [("0", 0.25), ("1", 0.75), ("0.5", 0.5), ("skip", 0.5)])
def test_the_rule_for_empty_queries_moves_the_mean(rule: str, mean: float) -> None:
    """Beside a query that scores 1/2: its one relevant document stands at rank 3, which log2 discounts by half."""
    metric = f"ndcg@10(empty={rule})"
    value = evaluate(metric, [0, 0, 1, 0, 0], [5, 4, 3, 2, 1], [0, 3, 5])[metric]
    assert value.mean == mean
    assert math.isnan(value.per_query[1]) == (rule == "skip")


@pytest.mark.parametrize(
    ("relevant_last", "relevant_first", "tools"),
    [
        (0.3331, 1.0, ["lightgbm", "xgboost", "ranx", "rax", "ranklib", "letor3"]),
        (0.3331, 0.3331, ["catboost"]),
        (0.5181, 0.5181, ["sklearn", "torchmetrics", "tf_ranking"]),
        (1.0, 0.3331, ["pytrec_eval", "ir_measures", "trec_eval"]),
    ],
)
def test_eight_tied_documents(relevant_last: float, relevant_first: float, tools: list[str]) -> None:
    """What tools were seen to give when the two relevant of eight tied documents stand last, and first."""
    last, scores = np.array([0] * 6 + [1, 3]), np.zeros(8)
    for tool in tools:
        choices = {"gain": "exp2", "discount": "log2", "short": "own"}
        metric = parse(f"ndcg@10:{tool}(" + ",".join(f"{name}={value}" for name, value in choices.items()) + ")")
        assert evaluate(metric, last, scores, [0, 8])[metric].mean == pytest.approx(relevant_last, abs=0.5e-4), tool
        assert evaluate(metric, last[::-1], scores, [0, 8])[metric].mean == pytest.approx(relevant_first, abs=0.5e-4), (
            tool
        )


def test_float32_ties_what_float64_does_not() -> None:
    labels, scores = [0, 1], [0.9999999988, 1.0]
    found = evaluate(["p@1", "p@1(precision=float32)"], labels, scores, [0, 2])
    assert found["p@1"].mean == 1.0
    assert found["p@1(precision=float32)"].mean == 0.0
    # Beyond the range of float32, numbers become infinite and tied.
    assert evaluate("p@1(precision=float32)", labels, [1e300, 1e301], [0, 2])["p@1(precision=float32)"].mean == 0.0


def test_infinite_scores_are_ordered_like_numbers() -> None:
    assert evaluate("mrr", [0, 1, 0], [-math.inf, math.inf, 0.0], [0, 3])["mrr"].mean == 1.0
    assert evaluate("mrr", [0, 0, 1], [math.inf, math.inf, 0.0], [0, 3])["mrr"].mean == 1 / 3
    found = evaluate("p@1(ties=average)", [0, 1, 0], [math.inf, math.inf, 0.0], [0, 3])
    assert found["p@1(ties=average)"].mean == 0.5


def test_document_ids_break_ties_by_their_own_order_not_by_rows() -> None:
    for ids, value in ((["b", "a"], 0.0), (["a", "b"], 1.0), (["10", "9"], 1.0), (None, 1.0)):
        found = evaluate("p@1:trec_eval", [0, 1], [1.0, 1.0], [0, 2], doc_ids=ids)
        assert found["p@1:trec_eval"].mean == value
    ascending = evaluate("p@1(ties=docid-ascending)", [0, 1], [1.0, 1.0], [0, 2], doc_ids=["b", "a"])
    assert ascending["p@1(ties=docid-ascending)"].mean == 1.0


def test_judged_documents_outside_the_list_count_where_a_tool_counts_them() -> None:
    """One document found of three relevant ones; a second query is missing from the run."""
    judged = (np.array([1, 1, 1, 1]), np.array([0, 3, 4]))
    found = evaluate(
        ["map:trec_eval", "map:lightgbm", "ndcg@1:trec_eval", "ndcg:trec_eval", "map:ir_measures"],
        [1],
        [1.0],
        [0, 1, 1],
        judged=judged,
    )
    assert found["map:trec_eval"].per_query[0] == pytest.approx(1 / 3)
    assert found["ndcg@1:trec_eval"].mean == 1.0
    assert found["ndcg:trec_eval"].per_query[0] == pytest.approx(1 / (1 + 1 / math.log2(3) + 0.5))
    assert found["map:lightgbm"].mean == 1.0
    assert math.isnan(found["map:trec_eval"].per_query[1])
    assert found["map:ir_measures"].per_query.tolist() == [pytest.approx(1 / 3), 0.0]


def test_a_mean_over_no_query_is_not_a_number() -> None:
    assert math.isnan(MetricValues(np.array([math.nan])).mean)
    assert math.isnan(evaluate("ndcg@10(empty=skip)", [0, 0], [1.0, 2.0], [0, 2])["ndcg@10(empty=skip)"].mean)


def test_no_documents_and_no_queries() -> None:
    everything = ["ndcg@10", "map", "err", "mrr", "meanndcg", "tau", "p@3", "ndcg@10(ties=average)"]
    for offsets in ([0], [0, 0]):
        for values in evaluate(everything, [], [], offsets).values():
            assert math.isnan(values.mean)


@pytest.mark.parametrize(
    ("labels", "scores", "offsets", "message"),
    [
        ([0, 1], [1.0], [0, 2], "1 scores, but 2 labels"),
        ([0, 1], [1.0, math.nan], [0, 1, 2], r"score of document 1 \(query 1"),
        ([0, -1], [1.0, 2.0], [0, 2], "label -1 of document 1"),
        ([0, 0.5], [1.0, 2.0], [0, 2], "labels are of type float64"),
        ([0, 1], [1.0, 2.0], [0, 3], "query offsets"),
        ([0, 1], [1.0, 2.0], [0, 2, 1, 2], "query offsets"),
        ([0, 1], [1.0, 2.0], [], "query offsets"),
        ([[0, 1]], [1.0, 2.0], [0, 2], "2 dimensions"),
    ],
)
@pytest.mark.parametrize("metric", ["ndcg@10", "map", "ndcg@3(ties=average)"])
def test_wrong_input_is_refused(labels: object, scores: object, offsets: object, message: str, metric: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate(metric, labels, scores, offsets)  # type: ignore[arg-type]


def test_labels_beyond_a_table_or_a_grade_are_refused() -> None:
    with pytest.raises(UsageError, match="label 4 is not in the gain table, which ends at label 2"):
        evaluate("ndcg@10:letor4", [4], [1.0], [0, 1])
    with pytest.raises(UsageError, match="label 5 is above max_grade=4"):
        evaluate("err", [5], [1.0], [0, 1])
    with pytest.raises(UsageError, match="too large for gain"):
        evaluate("ndcg@10", [2000], [1.0], [0, 1])
    with pytest.raises(UsageError, match="1 document ids, but 2 labels"):
        evaluate("ndcg@10", [0, 1], [1.0, 2.0], [0, 2], doc_ids=["a"])
    with pytest.raises(UsageError, match="1 queries are judged, but 2 are ranked"):
        evaluate("map", [0, 1], [1.0, 2.0], [0, 1, 2], judged=([1], [0, 1]))


def test_large_labels_such_as_click_counts() -> None:
    labels, scores = [1_000_000, 0, 500_000], [1.0, 3.0, 2.0]
    value = evaluate("ndcg@10(gain=linear)", labels, scores, [0, 3])["ndcg@10(gain=linear)"].mean
    assert value == pytest.approx((0.5 / math.log2(3) + 0.5) / (1 + 0.5 / math.log2(3)))


def test_read_only_and_mapped_arrays_are_taken_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "scores.npy"
    np.save(file, SCORES)
    mapped = np.load(file, mmap_mode="r")
    labels = LABELS.astype(np.int32)
    labels.flags.writeable = False
    expected = evaluate("ndcg@10", LABELS, SCORES, OFFSETS)["ndcg@10"].mean
    assert evaluate("ndcg@10", labels, mapped, OFFSETS)["ndcg@10"].mean == expected
    assert evaluate("ndcg@10", labels, SCORES.astype(np.float32)[::1], OFFSETS)["ndcg@10"].mean == expected


def test_an_evaluator_gives_the_same_again() -> None:
    """What is counted once per data set must not be changed by a ranking."""
    evaluator = Evaluator(["ndcg@1..5", "map", "ndcg@3:lightgbm", "ndcg@10:letor4"], LABELS, OFFSETS)
    first = {str(metric): values.per_query.copy() for metric, values in evaluator(SCORES).items()}
    evaluator(-SCORES)
    for metric, values in evaluator(SCORES).items():
        np.testing.assert_array_equal(values.per_query, first[str(metric)])


@pytest.mark.parametrize("order", ["rising", "falling", "tied"])
@pytest.mark.parametrize("metric", ["ndcg@10", "ndcg@32", "ndcg@1000", "map", "ndcg@10(ties=average)", "tau"])
def test_one_long_list_is_not_quadratic(order: str, metric: str) -> None:
    """A million documents of one query; quadratic work would take hours."""
    count = 1_000_000
    scores = {"rising": np.arange(count), "falling": -np.arange(count), "tied": np.zeros(count)}[order].astype(float)
    labels = np.arange(count, dtype=np.int32) % 5
    evaluate(metric, labels[:5], scores[:5], [0, 5])
    start = time.perf_counter()
    evaluate(metric, labels, scores, [0, count])
    assert time.perf_counter() - start < 20


def test_every_preset_is_in_the_behaviour_table() -> None:
    table = behaviour_table()
    assert list(table.index) == list(TOOLS)
    assert table.loc["yahoo", "empty query"] == "1"
    assert table.loc["trec_eval", "ties"] == "document id, descending"
    assert table.loc["mslr", "relevant for AP"] == "label ≥ 2"
    assert table.loc["yahoo", "relevant for AP"] == "–"
    assert table.loc["letor4", "discount"] == "1, 1, 0.6309"
    assert not table.isna().any().any()


def test_metrics_can_be_keys_and_cross_process_borders() -> None:
    import pickle

    metric = NDCG(10, gain=(0, 1, 3), empty="skip")
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert {metric: 1}[NDCG(10, gain=(0.0, 1.0, 3.0), empty="skip")] == 1


@pytest.mark.parametrize("name", ["ndcg@10", "ndcg@10:letor4"])
def test_results_are_found_by_text_in_any_spelling(name: str) -> None:
    found = evaluate(name, LABELS, SCORES, OFFSETS)
    assert found[re.sub("ndcg", "NDCG", name)].mean == found[parse(name)].mean
    assert len(found) == 1
    with pytest.raises(KeyError):
        found["map"]
