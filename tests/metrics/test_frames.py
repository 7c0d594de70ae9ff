"""One line from frames, dictionaries and the objects of other tools."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate, evaluate_frame, evaluate_groups, evaluate_run
from ltrlib.metrics.files import judge
from tests.helpers.metric_queries import random_queries
from tests.metrics.test_retrieval import random_runs, score

QUERIES = random_queries(60, seed=9, longest=14)
QIDS = np.repeat([f"q{number}" for number in range(60)], QUERIES.sizes)
FRAME = pd.DataFrame({"qid": QIDS, "label": QUERIES.labels, "score": QUERIES.scores, "docno": QUERIES.doc_ids})
EXPECTED = evaluate("ndcg@10:xgboost", QUERIES.labels, QUERIES.scores, QUERIES.offsets)["ndcg@10:xgboost"]


def frames() -> dict[str, Any]:
    import polars
    import pyarrow

    columns = {name: FRAME[name].tolist() for name in FRAME}
    return {
        "pandas": FRAME,
        "polars": polars.DataFrame(columns),
        "pyarrow": pyarrow.table(columns),
        "dict": columns,
        "numpy": FRAME.astype({"qid": "U4", "docno": "U4"}).to_records(index=False, column_dtypes={"qid": "U4"}),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dict", "numpy"])
def test_frames_of_every_kind_give_the_same(kind: str) -> None:
    found = evaluate_frame(frames()[kind], "ndcg@10:xgboost")
    assert found.mean == EXPECTED.mean
    assert list(found.per_query.values()) == EXPECTED.per_query.tolist()
    assert list(found.per_query)[:2] == ["q0", "q1"]
    assert found.standard_error == pytest.approx(np.std(EXPECTED.per_query, ddof=1) / math.sqrt(60))
    assert found.to_pandas().loc["q3", "ndcg@10:xgboost"] == EXPECTED.per_query[3]
    assert found.summary().loc["ndcg@10:xgboost", "queries"] == 60


def test_rows_in_any_order_and_document_ids_for_ties() -> None:
    """A tool that breaks ties by document id gives the same in any order of rows."""
    shuffled = FRAME.sample(frac=1, random_state=3)
    metrics = ["ndcg@5:trec_eval", "map:pytrec_eval"]
    there, here = evaluate_frame(FRAME, metrics).to_pandas(), evaluate_frame(shuffled, metrics).to_pandas()
    pd.testing.assert_frame_equal(here.sort_index(), there.sort_index())
    renamed = FRAME.rename(columns={"qid": "topic", "score": "bm25"})
    assert evaluate_frame(renamed, "map", qid="topic", score="bm25").mean == evaluate_frame(FRAME, "map").mean


def test_runs_as_other_tools_hold_them() -> None:
    import ir_measures

    qrels, run = random_runs(50, missing=0.2)
    expected = score("ndcg@5:ir_measures", judge(qrels, run))["ndcg@5:ir_measures"].mean
    rows = [ir_measures.Qrel(q, d, label) for q, documents in qrels.items() for d, label in documents.items()]
    scored = [ir_measures.ScoredDoc(q, d, value) for q, documents in run.items() for d, value in documents.items()]
    pairs: list[tuple[Any, Any]] = [
        (qrels, run),
        (iter(rows), iter(scored)),
        (pd.DataFrame(rows), pd.DataFrame(scored)),
    ]
    for judgments, ranking in pairs:
        assert evaluate_run(judgments, ranking, "ndcg@5:ir_measures").mean == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluate_frame(FRAME.drop(columns="label"), "map"), "no column looks like the label"),
        (lambda: evaluate_frame(FRAME, "map", qid="topic"), "there is no column 'topic'"),
        (lambda: evaluate_frame([1, 2], "map"), "list has no columns"),
        (lambda: evaluate_frame(FRAME, ["map", "mrr"]).mean, "there are 2 metrics"),
        (lambda: evaluate_frame(FRAME.assign(score="x"), "map"), "not numbers"),
        (lambda: evaluate_frame(FRAME.assign(label=-1), "map"), "label -1"),
        (lambda: evaluate_groups([1, 1], [0, 1], [0.5], "map"), "1 scores, but 2 query ids"),
        (lambda: evaluate_groups([1, math.nan], [0, 1], [0.5, 0.1], "map"), "row 1 has no query id"),
        (lambda: evaluate_run(7, {}, "map"), "int is not understood here"),
        (lambda: evaluate_run({"q": {"a": 1}}, {"q": {"a": math.nan}}, "map"), "NaN"),
        (lambda: evaluate_run({"q": {"a": 1}}, {"q": {"a\nb": 1.0}}, "map"), "line feed"),
    ],
)
def test_what_does_not_fit_is_told(call: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA, pd.NaT])
def test_a_row_without_query_is_an_error_and_no_query_of_its_own(missing: object) -> None:
    """Rows whose query is unknown would count as one more query, and nobody would see it."""
    frame = {"qid": np.array(["a", missing, "b"], object), "label": [1, 0, 1], "score": [1.0, 2.0, 3.0]}
    with pytest.raises(UsageError, match="row 1 has no query id"):
        evaluate_frame(frame, "ndcg@10")
    rows = pd.DataFrame({"qid": frame["qid"], "docno": ["x", "y", "z"], "label": [1, 0, 1]})
    with pytest.raises(UsageError, match="a row has no id"):
        evaluate_run(rows, {"a": {"x": 1.0}}, "ndcg@10")


def test_a_date_that_is_missing_is_no_query_either() -> None:
    days = np.array(["2020-01-01", "NaT"], "datetime64[D]")
    with pytest.raises(UsageError, match="row 1 has no query id"):
        evaluate_groups(days, [1, 0], [1.0, 2.0], "ndcg@10")


def test_an_id_as_number_and_as_text_is_not_taken_for_one() -> None:
    """Both would be written as 1, and one would replace the other without a word."""
    mixed: dict[Any, Any] = {1: {"a": 1}, "1": {"b": 1}}
    for qrels in (mixed, {"1": mixed[1] | {2: 1, "2": 0}}):
        with pytest.raises(UsageError, match="an id is there twice"):
            evaluate_run(qrels, {"1": {"a": 1.0}}, "ndcg@10")


def test_lazy_frames_of_polars_are_collected() -> None:
    lazy = frames()["polars"].lazy()
    assert evaluate_frame(lazy, "ndcg@10:xgboost").mean == EXPECTED.mean
    both = evaluate_run(lazy, lazy, "ndcg@10:trec_eval")
    assert both.mean == evaluate_run(FRAME, FRAME, "ndcg@10:trec_eval").mean


def test_objects_of_ir_measures_mean_what_it_computes() -> None:
    """The text nDCG@2 is a name that several tools have; the object is its own."""
    import ir_measures

    qrels, run = {"q": {"a": 1, "b": 0, "c": 2}}, {"q": {"a": 0.1, "b": 0.3, "c": 0.2}}
    measures = [ir_measures.nDCG @ 2, ir_measures.P(rel=2) @ 2, ir_measures.RR]
    found = evaluate_run(qrels, run, measures)
    wanted = ir_measures.calc_aggregate(measures, qrels, run)
    assert [one.mean for one in found.values()] == pytest.approx([wanted[measure] for measure in measures], abs=1e-12)
    assert evaluate_run(qrels, run, measures[1]).mean == wanted[measures[1]]
