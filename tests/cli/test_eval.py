"""``ltrlib eval`` from end to end: exact output in every format, comparisons, rules, and every kind of wrong input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ltrlib.cli import main
from ltrlib.metrics import TOOLS, evaluate
from tests.helpers.metric_queries import Queries, random_queries

QUERIES = random_queries(60, seed=8, longest=14)
GRADED = Queries(np.minimum(QUERIES.labels, 2), QUERIES.scores, QUERIES.doc_ids, QUERIES.offsets)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = []
    for query in range(len(GRADED)):
        labels, _, ids = GRADED[query]
        lines += [f"{label} qid:{query} 1:0.5 2:1 #docid = {name}" for label, name in zip(labels, ids, strict=True)]
    Path("data.txt").write_text("\n".join(lines) + "\n")
    rng = np.random.default_rng(0)
    for name, scores in (
        ("a.txt", GRADED.scores),
        ("b.txt", rng.normal(size=GRADED.labels.size)),
        ("c.txt", -1.0 * GRADED.labels),
    ):
        Path(name).write_text("".join(f"{score!r}\n" for score in scores.tolist()))
    Path("qrels").write_text("1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n3 0 a 1\n")
    Path("run").write_text("1 Q0 x 1 0.9 t\n1 Q0 a 2 0.8 t\n3 Q0 a 1 0.5 t\n7 Q0 a 1 0.5 t\n")
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(["eval", *arguments])
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


LETOR = ("--data", "data.txt", "--scores", "a.txt")
TREC = ("--qrels", "qrels", "--run", "run")


def expected(metric: str) -> Any:
    return evaluate(metric, GRADED.labels, GRADED.scores, GRADED.offsets, doc_ids=GRADED.doc_ids)[metric]


@pytest.mark.usefixtures("folder")
def test_json_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(
        capsys, *LETOR, "--tool", "letor4,trec_eval", "--metric", "ndcg@1..3", "map", "--format", "json"
    )
    content = json.loads(out)
    assert (code, err) == (0, "")
    assert content["queries"] == 60
    assert content.keys() == {"queries", "results"}
    assert list(content["results"]) == ["a.txt"]
    for tool in ("letor4", "trec_eval"):
        found = content["results"]["a.txt"][tool]
        assert list(found) == ["ndcg@1", "ndcg@2", "ndcg@3", "map"]
        for metric, values in found.items():
            assert values["mean"] == expected(f"{metric}:{tool}").mean
            assert list(values["per_query"]) == [str(query) for query in range(60)]
            assert list(values["per_query"].values()) == expected(f"{metric}:{tool}").per_query.tolist()


@pytest.mark.usefixtures("folder")
def test_csv_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--tool", "sklearn", "--format", "csv", "--per-query")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [row["query"] for row in rows] == [*(str(query) for query in range(60)), "all"]
    assert float(rows[-1]["value"]) == expected("ndcg@10:sklearn").mean
    assert [float(row["value"]) for row in rows[:-1]] == expected("ndcg@10:sklearn").per_query.tolist()
    assert {(row["scores"], row["tool"], row["metric"]) for row in rows} == {("a.txt", "sklearn", "ndcg@10")}
    assert len(call(capsys, *LETOR, "--format", "csv")[1].splitlines()) == 2


@pytest.mark.usefixtures("folder")
def test_all_tools_in_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    """A tool without a metric shows a dash, and one line says which tools these are."""
    code, out, err = call(capsys, *LETOR, "--tool", "all", "--metric", "ndcg@10", "err")
    lines = [line.split() for line in out.splitlines()]
    assert code == 0
    assert lines[0] == ["tool", "ndcg@10", "err"]
    assert [line[0] for line in lines[2:-1]] == list(TOOLS)
    for tool, ndcg, err_value in lines[2:-1]:
        assert ndcg == f"{expected(f'ndcg@10:{tool}').mean:.4f}"
        assert (err_value == "–") == (tool not in ("yahoo", "ranklib"))
    assert err.startswith("ltrlib: without err: letor3, letor4")


@pytest.mark.usefixtures("folder")
def test_all_leaves_out_a_tool_that_cannot_take_these_labels(capsys: pytest.CaptureFixture[str]) -> None:
    Path("five.txt").write_text("4 qid:1 1:1\n0 qid:1 1:2\n")
    Path("five.scores").write_text("1\n2\n")
    code, out, err = call(capsys, "--data", "five.txt", "--scores", "five.scores", "--tool", "all")
    assert code == 0
    assert "letor4 is left out: label 4 is not in the gain table" in err
    assert "letor4" not in out
    code, _, err = call(capsys, "--data", "five.txt", "--scores", "five.scores", "--tool", "letor4")
    assert code == 2
    assert "letor4: label 4 is not in the gain table" in err


@pytest.mark.usefixtures("folder")
def test_single_queries_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--per-query", "--metric", "ndcg@5(empty=skip)")
    assert code == 0
    empty = next(query for query in range(60) if not GRADED[query][0].any())
    assert f"\n{empty:<5}  –" in out
    assert "queries in the mean: ltrlib" in out
    assert out.endswith("60 queries\n")


@pytest.mark.usefixtures("folder")
def test_several_score_files_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """c.txt is the worst order there is: both others must beat it, and the letters say so."""
    files = ("--data", "data.txt", "--scores", "a.txt", "b.txt", "c.txt", "--tool", "ranklib")
    code, out, _ = call(capsys, *files, "--format", "json")
    content = json.loads(out)
    assert code == 0
    assert list(content["results"]) == ["a.txt", "b.txt", "c.txt"]
    pairs = content["comparisons"]
    assert [(pair["first"], pair["second"]) for pair in pairs] == [
        ("a.txt", "b.txt"),
        ("a.txt", "c.txt"),
        ("b.txt", "c.txt"),
    ]
    means = {name: tools["ranklib"]["ndcg@10"]["mean"] for name, tools in content["results"].items()}
    for pair in pairs:
        assert pair["difference"] == pytest.approx(means[pair["first"]] - means[pair["second"]], abs=1e-14)
        assert pair["p_t_test"] <= pair["p_t_test_holm"]
    _, out, _ = call(capsys, *files)
    rows = {
        line.split()[2]: line.split()[3:]
        for line in out.splitlines()
        if line.startswith("ranklib  ") and ".txt" in line
    }
    assert rows["a.txt"][-1] == "c"
    assert rows["b.txt"][-1] == "c"
    assert len(rows["c.txt"]) == 1
    assert "<0.0001" in out


@pytest.mark.usefixtures("folder")
def test_trec_files_and_the_rule_for_missing_queries(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(
        capsys, *TREC, "--tool", "pytrec_eval,ir_measures", "--metric", "mrr", "map", "--format", "json"
    )
    content = json.loads(out)
    assert code == 0
    assert content["queries"] == 3
    assert content["results"]["run"]["pytrec_eval"]["mrr"] == {
        "mean": 0.75,
        "per_query": {"1": 0.5, "2": None, "3": 1.0},
    }
    assert content["results"]["run"]["ir_measures"]["mrr"] == {"mean": 0.5, "per_query": {"1": 0.5, "2": 0.0, "3": 1.0}}
    assert content["results"]["run"]["pytrec_eval"]["map"]["per_query"]["1"] == 0.25
    assert "1 document without a judgment" in err
    assert "1 judged query not in the run" in err
    assert "1 query without judgments" in err


@pytest.mark.usefixtures("folder")
def test_a_metric_may_name_its_own_tool(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, *LETOR, "--metric", "ndcg@10:letor4", "ndcg@10", "ndcg@10:letor4(empty=1)", "--format", "json"
    )
    found = json.loads(out)["results"]["a.txt"]
    assert code == 0
    assert found.keys() == {"letor4", "ltrlib"}
    assert found["letor4"].keys() == {"ndcg@10", "ndcg@10(empty=1)"}
    assert found["ltrlib"]["ndcg@10"]["mean"] == expected("ndcg@10").mean


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*LETOR, "--tool", "letor"), "there is no tool 'letor', did you mean letor4?"),
        ((*LETOR, "--tool", "letor"), "choose letor3, letor4, mslr"),
        ((*LETOR, "--tool", ""), "there is no tool ''"),
        ((*LETOR, "--metric", "ndgc@10"), "did you mean ndcg?"),
        ((*LETOR, "--tool", "all", "--metric", "foo"), "there is no metric 'foo'"),
        ((*LETOR, "--tool", "letor4", "--metric", "err"), "the preset letor4 has no err"),
        (("--data", "data.txt"), "it is not clear what to score"),
        ((*LETOR, *TREC), "it is not clear what to score"),
        ((), "give --data and --scores, or --qrels and --run"),
        (("--data", "data.txt", "--scores", "a.txt", "a.txt"), "a file is named twice"),
        (("--data", "none.txt", "--scores", "a.txt"), "none.txt"),
        (("--data", "data.txt", "--scores", "none.txt"), "none.txt"),
        (("--data", "data.txt", "--scores", "short.txt"), "short.txt: 2 scores, but data.txt has"),
        (("--data", "data.txt", "--scores", "nan.txt"), "nan.txt:2: the score is NaN"),
        (("--data", "data.txt", "--scores", "word.txt"), "word.txt:1: 'high' is not a score"),
        (("--data", "broken.txt", "--scores", "a.txt"), "broken.txt:1"),
        (("--qrels", "word.txt", "--run", "run"), "word.txt:1: 1 columns"),
        (("--qrels", "qrels", "--run", "badrun"), "badrun:2: 5 columns"),
        ((*LETOR, "--format", "xml"), "invalid choice: 'xml'"),
    ],
)
def test_wrong_input_ends_with_2_and_says_why(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    Path("short.txt").write_text("1\n2\n")
    Path("nan.txt").write_text("1\nnan\n")
    Path("word.txt").write_text("high\n")
    Path("broken.txt").write_text("x qid:1 1:0.5\n")
    Path("badrun").write_text("1 Q0 a 1 0.5 t\n1 Q0 b 2 0.5\n")
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_metric_that_is_named_in_an_option_of_its_own_is_not_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data.txt").write_text("1 qid:1 1:0\n0 qid:1 1:1\n")
    (tmp_path / "scores.txt").write_text("2\n1\n")
    given = ["eval", "--data", str(tmp_path / "data.txt"), "--scores", str(tmp_path / "scores.txt")]
    assert main([*given, "--metric", "ndcg@1", "--metric", "p@2", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"].values()
    assert set(found["ltrlib"]) >= {"ndcg@1", "p@2"}
