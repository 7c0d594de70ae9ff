"""Protects ``identify``: it finds the tool behind a number on files never seen, and says when several fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.datasets import concatenate, is_here, load
from ltrlib.errors import UsageError
from ltrlib.metrics import TOOLS, Identification, evaluate, identify
from ltrlib.metrics.printed_number import Printed
from ltrlib.metrics.telling_apart import choices_that_differ, digits_needed, next_number, what_would_tell
from tests.helpers.metric_queries import Queries, random_queries


def small_labels(count: int, seed: int) -> Queries:
    queries = random_queries(count, seed=seed, longest=16)
    return Queries(np.minimum(queries.labels, 2), queries.scores, queries.doc_ids, queries.offsets)


def ask(value: str, queries: Queries, **more: Any) -> Identification:
    return identify(value, queries.labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids, **more)


def names(found: Identification, preprocessing: str | None = None) -> set[str]:
    return {str(match.metric) for match in found.matches if match.preprocessing == preprocessing}


@settings(deadline=None, max_examples=6)
@given(st.sampled_from(sorted(TOOLS)), st.sampled_from([1, 3, 5, 10]), st.integers(0, 10**6))
def test_the_hidden_tool_is_found_on_a_file_never_seen(tool: str, k: int, seed: int) -> None:
    queries = small_labels(40, seed)
    text = f"ndcg@{k}:{tool}"
    mean = evaluate(text, queries.labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids)[text].mean
    found = ask(f"{mean:.4f}", queries)
    assert text in names(found)
    # With all digits, whatever else fits without preprocessing is either alike in every query, or has the same mean.
    exact = ask(f"{mean:.15f}", queries)
    assert text in names(exact)
    assert all(abs(match.value - mean) < 2e-12 for match in exact.matches)


@pytest.mark.parametrize(
    ("prepared", "words"),
    [
        ("binarised", "labels binarised at 2"),
        ("no empty", "queries without relevant documents dropped"),
        ("no short", "queries under k documents dropped"),
    ],
)
def test_preprocessing_that_was_really_done_is_found(prepared: str, words: str) -> None:
    queries = small_labels(60, 11)
    labels, scores, ids = [], [], []
    for query in range(len(queries)):
        label, score, doc_ids = queries[query]
        if prepared == "binarised":
            label = (label >= 2).astype(np.int32)
        if (prepared == "no empty" and not label.any()) or (prepared == "no short" and label.size < 5):
            continue
        labels.append(label)
        scores.append(score)
        ids.append(doc_ids)
    offsets = np.cumsum([0, *map(len, labels)])
    text = "ndcg@5:catboost"
    mean = evaluate(text, np.concatenate(labels), np.concatenate(scores), offsets, doc_ids=np.concatenate(ids))[
        text
    ].mean
    assert text in names(ask(f"{mean:.6f}", queries), words)


def test_the_real_scikit_learn_and_trec_eval_are_found() -> None:
    from sklearn.metrics import ndcg_score

    pytrec_eval = pytest.importorskip("pytrec_eval")
    queries = small_labels(80, 12)
    several = [query for query in range(len(queries)) if queries.sizes[query] > 1]  # scikit-learn refuses one document
    rows = np.concatenate([np.arange(*queries.offsets[query : query + 2]) for query in several])
    kept = Queries(
        queries.labels[rows],
        queries.scores[rows],
        queries.doc_ids[rows],
        np.cumsum([0, *(int(queries.sizes[query]) for query in several)]),
    )
    theirs = np.mean([ndcg_score([kept[n][0]], [kept[n][1]], k=10) for n in range(len(kept))])
    assert "ndcg@10:sklearn" in names(ask(f"{theirs:.5f}", kept))
    qrels = {str(n): dict(zip(kept[n][2].tolist(), kept[n][0].tolist(), strict=True)) for n in range(len(kept))}
    run = {str(n): dict(zip(kept[n][2].tolist(), kept[n][1].tolist(), strict=True)) for n in range(len(kept))}
    printed = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
    mean = np.mean([query["ndcg_cut_10"] for query in printed.values()])
    found = ask(f"{mean:.5f}", kept)
    assert {"ndcg@10:trec_eval", "ndcg@10:pytrec_eval"} <= names(found)
    assert "ndcg@10:sklearn" not in names(found)


def test_documented_options_of_a_tool_are_found() -> None:
    queries = small_labels(60, 13)
    text = "ndcg@10:catboost(discount=reciprocal,gain=exp2)"
    mean = evaluate(text, queries.labels, queries.scores, queries.offsets)[text].mean
    assert text in names(ask(f"{mean:.6f}", queries))


def test_another_metric_is_tried_when_no_ndcg_fits() -> None:
    queries = small_labels(60, 14)
    text = "map@10:lightgbm"
    mean = evaluate(text, queries.labels, queries.scores, queries.offsets)[text].mean
    found = ask(f"{mean:.9f}", queries)
    assert text in names(found)
    assert any(what.startswith("other metrics") for what in found.widened)
    assert text in names(ask(f"{mean:.4f}", queries, metric=["map"]))


def test_an_ndcg_that_no_tool_has_is_described_by_its_choices() -> None:
    queries = small_labels(60, 15)
    text = "ndcg@7(discount=letor,empty=0.5,gain=linear,ties=worst)"
    mean = evaluate(text, queries.labels, queries.scores, queries.offsets)[text].mean
    assert text in names(ask(f"{mean:.10f}", queries, metric="ndcg@7"))


def test_a_second_number_of_the_same_tool_leaves_fewer() -> None:
    queries = small_labels(60, 16)
    wanted = evaluate(["ndcg@10:xgboost", "map:xgboost"], queries.labels, queries.scores, queries.offsets)
    value = f"{wanted['ndcg@10:xgboost'].mean:.3f}"
    before = ask(value, queries)
    after = ask(value, queries, also={"map": f"{wanted['map:xgboost'].mean:.4f}"})
    assert "ndcg@10:xgboost" in names(after)
    assert len(after.matches) < len(before.matches)


def test_tools_alike_on_a_file_are_one_group_with_what_would_tell_them_apart() -> None:
    # No ties, nothing empty, no short list: only the gain can tell tools apart.
    rng = np.random.default_rng(5)
    labels = np.tile([2, 1, 0, 1, 1, 0, 2, 0, 1, 0, 1, 0], 20)
    scores = rng.permuted(np.tile(np.arange(12.0), (20, 1)), axis=1).ravel()
    offsets = np.arange(0, 241, 12)
    mean = evaluate("ndcg@10:ranklib", labels, scores, offsets)["ndcg@10:ranklib"].mean
    found = identify(f"{mean:.4f}", labels, scores, offsets, metric="ndcg@10")
    group = next(group for group in found.groups if "ranklib" in [match.metric.tool for match in group])
    assert {"yahoo", "ranklib", "lightgbm", "xgboost-", "rax"} <= {match.metric.tool for match in group}
    assert {"empty", "ties", "precision"} <= set(choices_that_differ(group))
    assert "a query without a relevant document" in what_would_tell(group)
    following = next_number(found)
    assert following is not None
    assert following.metric.family == "map"


@pytest.mark.slow
def test_the_number_to_ask_for_next_tells_apart_what_it_says() -> None:
    queries = small_labels(60, 18)
    mean = evaluate("ndcg@5:letor4", queries.labels, queries.scores, queries.offsets)["ndcg@5:letor4"].mean
    found = ask(f"{mean:.2f}", queries)
    following = next_number(found)
    assert following is not None
    assert len(following.values) > 1
    for text, matches in following.values.items():
        again = ask(f"{mean:.2f}", queries, also={str(following.metric): text})
        assert {str(match.metric) for match in matches} <= {str(match.metric) for match in again.matches}
    digits = digits_needed(found)
    assert digits is not None
    assert len({f"{group[0].value:.{digits}f}" for group in found.groups}) == len(found.groups)


@pytest.mark.slow
def test_the_number_of_chance_hits_is_about_right() -> None:
    """Numbers that no candidate was asked for hit as many values as was said, on average."""
    queries = small_labels(40, 100)
    said, hit = [], []
    for value in np.random.default_rng(1).uniform(0.3, 0.5, 25):
        found = ask(f"{value:.3f}", queries, metric="map")
        # What fits only after widening was not among the candidates that are counted here.
        said += [] if found.widened else [found.by_chance]
        hit.append(0 if found.widened else len({round(match.value, 10) for match in found.matches}))
    assert len(said) > 10
    assert 0.4 < float(np.mean(hit)) / max(float(np.mean(said)), 0.1) < 2.5


def test_labels_beyond_a_tools_gains_leave_that_tool_out() -> None:
    queries = random_queries(30, seed=19, longest=12)
    mean = evaluate("ndcg@10:yahoo", queries.labels, queries.scores, queries.offsets)["ndcg@10:yahoo"].mean
    found = ask(f"{mean:.5f}", queries)
    assert "ndcg@10:yahoo" in names(found)
    assert set(found.left_out) == {"letor3", "letor4"}


def test_digits_decide_what_fits() -> None:
    assert Printed.read("49.73%") == Printed.read("49.73") == Printed.read("0.4973")
    assert Printed.read("0.50").fits(0.504)
    assert not Printed.read("0.500").fits(0.504)
    assert Printed.read("0.5").fits(0.55)  # a border may have been rounded either way
    for wrong in (
        "",
        "x",
        "nan",
        "inf",
        "-0.5",
        "0.1.2",
        "1e400",
        "1e999999999",
        "1e-5000000000000",
        "9" * 5000,
        "1_0",
        "٠.٥",
    ):
        with pytest.raises(UsageError):
            Printed.read(wrong)


def test_a_score_that_is_no_number_is_an_error_and_not_a_tool_left_out() -> None:
    with pytest.raises(UsageError, match="not a number"):
        identify("0.5", [1, 0], [np.nan, 1.0], [0, 2])
    with pytest.raises(UsageError, match="what is looked for"):
        identify("0.5", [1, 0], [0.0, 1.0], [0, 2], metric="ndcg@10:letor4")


@pytest.mark.slow
@pytest.mark.realdata
@pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not on this machine: set LTRLIB_DATA")
def test_on_mq2008_the_17_tools_are_told_apart_as_far_as_they_can_be() -> None:
    data = concatenate([load("mq2008", part=f"Fold{fold}/test") for fold in range(1, 6)])
    scores = data.features[:, 38].astype(np.float64)  # LMIR.DIR of the whole document: some ties
    texts = [f"ndcg@10:{tool}" for tool in TOOLS]
    found = evaluate(texts, data.labels, scores, data.query_offsets, doc_ids=data.doc_ids)
    kinds: dict[bytes, set[str]] = {}
    for text in texts:
        kinds.setdefault(found[text].per_query.round(10).tobytes(), set()).add(text)
    assert len(kinds) >= 5
    for alike in kinds.values():
        mean = found[next(iter(alike))].mean
        told = identify(f"{mean:.6f}", data.labels, scores, data.query_offsets, doc_ids=data.doc_ids)
        plain = {text for text in names(told) if text in texts}
        assert plain == alike
        groups = {match.group for match in told.matches if str(match.metric) in alike and match.preprocessing is None}
        assert len(groups) == 1
