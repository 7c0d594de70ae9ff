"""Recall, R-precision, success, F, RBP, bpref, infAP, judged, counts: by hand, and against the installed tools."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics import Evaluation, Metric, evaluate
from ltrlib.metrics.files import JudgedRun, judge
from ltrlib.metrics.notation import parse_many
from tests.metrics.test_live import QUERIES, RANX_PROGRAM, assert_close

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

LAST_DIGITS = 1e-14


def score(metrics: str | list[str] | Metric, both: JudgedRun) -> Evaluation:
    return evaluate(
        metrics,
        both.labels,
        both.scores,
        both.query_offsets,
        doc_ids=both.doc_ids,
        judged=both.judged,
        unjudged=both.not_judged,
    )


def random_runs(count: int = 300, *, missing: float = 0.0, longest: int = 20, tied: bool = True) -> tuple[Qrels, Run]:
    """Runs that miss judged documents, hold unjudged ones, tie, and have queries without a relevant document."""
    rng = np.random.default_rng(5)
    names = [f"d{number:02d}" for number in range(longest)]
    qrels: Qrels = {}
    run: Run = {}
    for query in map(str, range(count)):
        labels = rng.choice(4, longest, p=[0.5, 0.3, 0.15, 0.05]) * (rng.random() > 0.15)
        judged, ranked = rng.permutation(names)[: rng.integers(1, longest)], rng.permutation(names)
        scores = rng.integers(0, 7, longest) if tied else rng.permutation(longest)
        qrels[query] = {str(name): int(label) for name, label in zip(judged, labels, strict=False)}
        if rng.random() >= missing:
            listed = ranked[: rng.integers(1, longest + 1)]
            run[query] = {str(name): float(value) for name, value in zip(listed, scores, strict=False)}
    return qrels, run


# One query: ranks 1 to 6 hold relevant (label 2), unjudged, not relevant, relevant (1), in the pool but not judged,
# not relevant; a third relevant document was not found.
QRELS: Qrels = {"q": {"a": 2, "c": 0, "d": 1, "e": -1, "f": 0, "z": 1}}
RUN: Run = {"q": {name: 6.0 - rank for rank, name in enumerate("abcdef")}}


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("recall@1(ideal=judged)", 1 / 3),
        ("recall(ideal=judged)", 2 / 3),
        ("recall(ideal=judged,relevant_from=2)", 1.0),
        ("recall@4", 1.0),  # of those in the list
        ("rprec(ideal=judged)", 1 / 3),  # one among the first three, of three
        ("rprec", 1 / 2),  # one among the first two, of two
        ("success@1", 1.0),
        ("success@3(relevant_from=3)", 0.0),
        ("f@4(ideal=judged)", 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)),
        ("f@4(ideal=judged,beta=2)", 5 * (1 / 2) * (2 / 3) / (4 * (1 / 2) + 2 / 3)),
        ("f@8(ideal=judged,short=pad)", 2 * (2 / 8) * (2 / 3) / (2 / 8 + 2 / 3)),
        ("rbp(p=0.5)", 0.5 * (1 + 0.5**3)),
        ("rbp@1(p=0.5)", 0.5),
        ("rbp(p=0.5,worth=label)", 0.5 * (2 + 0.5**3)),
        ("bpref", (1 + (1 - 1 / 2)) / 3),  # one of the two non-relevant documents stands above d
        ("judged@2", 1 / 2),
        ("judged@4", 3 / 4),
        ("judged", 4 / 6),
        ("judged@8(short=pad)", 4 / 8),
        ("numret", 6),
        ("numrel(ideal=judged)", 3),
        ("numrel", 2),
        ("numrelret", 2),
        ("numrelret@3", 1),
        ("numq", 1),
    ],
)
def test_values_worked_by_hand(metric: str, value: float) -> None:
    assert score(metric, judge(QRELS, RUN))[metric].mean == pytest.approx(value, abs=1e-15)


def test_inferred_average_precision_worked_by_hand() -> None:
    """Above d, the second relevant one: three documents, of which a and c are judged and b was not in the pool."""
    smoothed = (1 + 1e-5) / (1 + 1 + 2e-5)
    expected = (1.0 + (1 / 4 + (3 / 4) * (2 / 3) * smoothed)) / 3
    assert score("infap", judge(QRELS, RUN))["infap"].mean == pytest.approx(expected, abs=1e-15)
    # e is in the pool: behind it, a relevant document would have four of its five predecessors pooled.
    longer = {"q": {**RUN["q"], "z": -1.0}}
    third = 1 / 7 + (6 / 7) * (5 / 6) * (2 + 1e-5) / (2 + 2 + 2e-5)
    assert score("infap", judge(QRELS, longer))["infap"].mean == pytest.approx(expected + third / 3, abs=1e-15)


def test_averaged_ties_of_recall_and_rbp_are_expectations() -> None:
    labels, scores = [0, 1, 1], [1.0, 1.0, 0.0]
    assert evaluate(m := "recall@1(ties=average)", labels, scores, [0, 3])[m].mean == 0.25
    assert evaluate(m := "rbp@1(p=0.5,ties=average)", labels, scores, [0, 3])[m].mean == 0.25
    assert evaluate(m := "rprec(ties=average)", [0, 1, 0], scores, [0, 3])[m].mean == 0.5


def test_counts_add_up_over_the_queries_and_everything_else_is_averaged() -> None:
    found = evaluate(["numret", "numrelret", "p@1"], [1, 0, 1, 1], [4, 3, 2, 1], [0, 3, 4])
    assert (found["numret"].overall, found["numret"].mean) == (4.0, 2.0)
    assert found["numrelret"].overall == 3.0
    assert found["p@1"].overall == found["p@1"].mean == 1.0


def test_unjudged_documents_change_nothing_but_what_asks_for_them() -> None:
    labels, scores = [0, 1, 0, 2], [4, 3, 2, 1]
    metrics = ["ndcg@10", "map", "recall@2", "err", "p@2(ties=worst)", "ndcg@10:letor4", "tau"]
    plain = evaluate(metrics, labels, scores, [0, 4])
    told = evaluate(metrics, labels, scores, [0, 4], unjudged=[1, 0, 2, 0])
    assert [value.mean for value in told.values()] == [value.mean for value in plain.values()]
    with pytest.raises(UsageError, match="their labels must be 0"):
        evaluate("bpref", labels, scores, [0, 4], unjudged=[1, 1, 0, 0])


def test_queries_without_relevant_documents_score_what_the_metric_declares() -> None:
    for metric in ("recall@2", "rprec", "success@2", "f@2", "rbp", "bpref", "infap"):
        for rule, expected in (("0", 0.0), ("1", 1.0)):
            text = f"{metric}(empty={rule})"
            assert evaluate(text, [0, 0], [2, 1], [0, 2])[text].mean == expected
        text = f"{metric}(empty=skip)"
        assert math.isnan(evaluate(text, [0, 0], [2, 1], [0, 2])[text].mean)


TREC = {
    "recall@5": "recall_5",
    "recall": "set_recall",
    "rprec": "Rprec",
    "success@5": "success_5",
    "bpref": "bpref",
    "infap": "infAP",
    "f": "set_F",
    "p": "set_P",
    "numret": "num_ret",
    "numrel": "num_rel",
    "numrelret": "num_rel_ret",
    "numq": "num_q",
}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("tool", ["pytrec_eval", "trec_eval"])
def test_pytrec_eval(tool: str, level: int) -> None:
    """Query by query, also with documents relevant from label 2 (which does not reach its num_rel)."""
    import pytrec_eval

    qrels, run = random_runs()
    asked = {"recall.5", "set_recall", "Rprec", "success.5", "bpref", "infAP", "set_F", "set_P", "num_ret", "num_rel"}
    asked |= {"num_rel_ret", "num_q"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, asked, relevance_level=level).evaluate(run)
    both = judge(qrels, run)
    for ours, name in TREC.items():
        if level == 2 and name == "num_rel":
            continue
        with_level = f"(relevant_from={level})" if ours not in ("numret", "numq") else ""
        text = f"{ours}:{tool}{with_level}"
        found = score(text, both)[text].per_query
        np.testing.assert_allclose(found, [theirs[query][name] for query in qrels], rtol=0, atol=1e-14, err_msg=name)


def test_weighted_f_is_set_f_of_the_square() -> None:
    """pytrec_eval takes the weight from the first number that it is given."""
    import pytrec_eval

    qrels, run = random_runs()
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"set_F.2.0"}).evaluate(run)
    found = score("set_F.2", judge(qrels, run))["f:trec_eval(beta=1.4142135623730951)"].per_query
    np.testing.assert_allclose(found, [theirs[query]["set_F"] for query in qrels], rtol=0, atol=1e-14)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_ir_measures(missing: float) -> None:
    """By its own names, with a share of the queries missing from the run."""
    import ir_measures

    qrels, run = random_runs(missing=missing)
    names = ["R@5", "Rprec", "Success@5", "Bpref", "infAP", "SetF", "SetP", "SetR", "Judged@3", "Judged@30"]
    names += ["P(rel=2)@5", "AP(rel=2)@100", "R(rel=2)@10", "NumQ", "NumRet", "NumRet(rel=1)", "NumRel", "nDCG@10"]
    measures = [ir_measures.parse_measure(name) for name in names]
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    both = judge(qrels, run)
    for name, measure in zip(names, measures, strict=True):
        (metric,) = parse_many(name, "ir_measures")
        assert score(metric, both)[metric].overall == pytest.approx(theirs[measure], abs=1e-12), name


def test_ranx() -> None:
    """By its own names, without ties, which it orders arbitrarily; bpref where it is a number there."""
    qrels, run = random_runs(tied=False)
    names = ["recall@5", "recall", "r-precision", "hit_rate@5", "hits@5", "f1@5", "f1", "bpref", "rbp.95", "rbp.50"]
    names += ["ndcg_burges@5", "recall@5-l2", "precision@7-l2"]
    environment = dict(os.environ) | {"NUMBA_DISABLE_JIT": "1"}
    program = [sys.executable, "-W", "ignore", "-c", RANX_PROGRAM]
    given = json.dumps([qrels, run, names])
    ran = subprocess.run(program, input=given, capture_output=True, text=True, env=environment, check=True)
    ids, found = json.loads(ran.stdout)
    both = judge(qrels, run)
    for name in names:
        (metric,) = parse_many(name, "ranx")
        ours = score(metric, both)[metric].per_query[[int(query) for query in ids]]
        theirs = np.array(found[name], dtype=float)
        known = np.isfinite(theirs) if name == "bpref" else np.full(theirs.shape, True)
        assert known.mean() > 0.6, name
        np.testing.assert_allclose(ours[known], theirs[known], rtol=0, atol=1e-13, err_msg=name)


def test_catboost_recall() -> None:
    from catboost.utils import eval_metric

    theirs = []
    for query in range(len(QUERIES)):
        labels, scores, _ = QUERIES[query]
        group = [0] * labels.size
        theirs.append(eval_metric(labels.astype(float), scores, "RecallAt:top=5", group_id=group, thread_count=1)[0])
    assert_close("recall@5:catboost", np.array(theirs))


@pytest.mark.parametrize("k", [3, None])
def test_rax_recall(k: int | None) -> None:
    import jax.numpy as jnp
    import rax  # type: ignore[import-untyped]

    shape = (len(QUERIES), int(QUERIES.sizes.max()))
    where = np.arange(shape[1]) < QUERIES.sizes[:, None]
    labels: NDArray[np.float32] = np.zeros(shape, np.float32)
    scores: NDArray[np.float32] = np.zeros(shape, np.float32)
    labels[where], scores[where] = QUERIES.labels, QUERIES.scores
    theirs = rax.recall_metric(jnp.array(scores), jnp.array(labels), where=jnp.array(where), topn=k, reduce_fn=None)
    assert_close(f"recall@{k}:rax" if k else "recall:rax", np.asarray(theirs, np.float64), 4e-7)
