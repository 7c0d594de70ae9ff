"""Score files and TREC files: what is read, what is refused, and what counts when run and judgments differ."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from ltrlib.errors import DataFormatError, UsageError
from ltrlib.metrics import evaluate
from ltrlib.metrics.files import judge, read_qrels, read_run, read_scores

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "b": -1}, "3": {"a": 0}}
RUN = {"1": {"x": 5.0, "a": 4.0, "b": 3.0}, "3": {"a": 1.0}, "9": {"a": 1.0}}


@pytest.mark.parametrize("text", ["1.5\n-2e3\ninf\n", "1.5\r\n-2e3\r\ninf\r\n", " 1.5 \n-2e3\ninf"])
def test_scores_one_per_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "scores.txt"
    file.write_bytes(text.encode())
    assert read_scores(file).tolist() == [1.5, -2000.0, math.inf]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1\nabc\n3\n", 2, "'abc' is not a score"),
        ("1\n\n3\n", 2, "'' is not a score"),
        ("1\n2\nnan\n", 3, "NaN"),
        ("1 2\n", 1, "'1 2' is not a score"),
        ("1\n1_000\n", 2, "not a score"),
        ("1\n\xff\n", 2, "not a score"),
    ],
)
def test_a_bad_score_is_named_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    file = tmp_path / "scores.txt"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(DataFormatError, match=message) as error:
        read_scores(file)
    assert error.value.where == f"{file}:{line}"


def test_an_empty_score_file_holds_no_scores(tmp_path: Path) -> None:
    (tmp_path / "scores.txt").touch()
    assert read_scores(tmp_path / "scores.txt").size == 0


def test_trec_files(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 2\n1 0 b 0\n\n2 0 ä -1\n")
    run.write_text("1 Q0 b 1 0.5 tag\n1\tQ0\ta\t2\t1e-3\ttag\n")
    assert read_qrels(qrels) == {"1": {"a": 2, "b": 0}, "2": {"ä": -1}}
    assert read_run(run) == {"1": {"b": 0.5, "a": 0.001}}


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (read_qrels, "1 0 a 1\n1 0 a\n", ":2: 3 columns"),
        (read_qrels, "1 0 a 0.5\n", "label '0.5' is not a whole number"),
        (read_qrels, "1 0 a 1\n1 0 a 1\n", ":2: document a of query 1 stands here twice"),
        (read_qrels, "", "the file is empty"),
        (read_run, "1 Q0 a 1 x tag\n", ":1: 'x' is not a score"),
        (read_run, "1 Q0 a 1 nan tag\n", ":1: the score is NaN"),
        (read_run, "1 Q0 a 1 0.5\n", ":1: 5 columns"),
    ],
)
def test_bad_trec_lines_are_named(tmp_path: Path, reader: object, text: str, message: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(DataFormatError) as error:
        reader(file)  # type: ignore[operator]
    assert message in str(error.value)


def test_unjudged_missing_and_ignored() -> None:
    both = judge(QRELS, RUN)
    assert both.query_ids.tolist() == ["1", "2", "3"]
    assert both.labels.tolist() == [0, 2, 0, 0]
    assert both.query_offsets.tolist() == [0, 3, 3, 4]
    assert both.judged[0].tolist() == [2, 0, 1, 1, 0]
    assert both.not_judged.tolist() == [1, 0, 0, 0]
    assert (both.unjudged, both.missing, both.ignored) == (1, ("2",), ("9",))
    with pytest.raises(UsageError, match="no query of the run is judged"):
        judge({"1": {"a": 1}}, {"2": {"a": 1.0}})


def test_runs_score_as_pytrec_eval_and_ir_measures_score_them() -> None:
    """Random runs that miss queries and judged documents and hold unjudged ones, against the installed tools."""
    import ir_measures
    import pytrec_eval

    rng = np.random.default_rng(0)
    names = np.array([f"d{number}" for number in range(12)])
    qrels, run = {}, {}
    for query in range(200):
        judged, ranked = rng.permutation(names)[: rng.integers(1, 12)], rng.permutation(names)[: rng.integers(1, 12)]
        qrels[str(query)] = {str(name): int(label) for name, label in zip(judged, rng.integers(0, 4, 12), strict=False)}
        if rng.random() > 0.2:
            run[str(query)] = {str(name): float(s) for name, s in zip(ranked, rng.integers(0, 6, 12), strict=False)}
    run["unknown"] = {"d1": 1.0}
    both = judge(qrels, run)
    metrics = [
        f"{metric}:{tool}"
        for tool in ("pytrec_eval", "ir_measures")
        for metric in ("ndcg@5", "ndcg", "map", "p@5", "mrr")
    ]
    ours = evaluate(metrics, both.labels, both.scores, both.query_offsets, doc_ids=both.doc_ids, judged=both.judged)
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.5", "ndcg", "map", "P.5", "recip_rank"}).evaluate(run)
    for metric, name in {
        "ndcg@5": "ndcg_cut_5",
        "ndcg": "ndcg",
        "map": "map",
        "p@5": "P_5",
        "mrr": "recip_rank",
    }.items():
        theirs = [found[query][name] if query in found else math.nan for query in qrels]
        values = ours[f"{metric}:pytrec_eval"]
        np.testing.assert_allclose(values.per_query, theirs, rtol=0, atol=1e-14)
        assert values.mean == pytest.approx(np.nanmean(theirs), abs=1e-14)
    measures = {"ndcg@5": "nDCG@5", "ndcg": "nDCG", "map": "AP", "p@5": "P@5", "mrr": "RR"}
    means = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in measures.values()], qrels, run)
    for metric, name in measures.items():
        assert ours[f"{metric}:ir_measures"].mean == pytest.approx(means[ir_measures.parse_measure(name)], abs=1e-14)
