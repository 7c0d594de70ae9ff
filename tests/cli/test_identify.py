"""``ltrlib identify`` from end to end: table, JSON, exit codes, and wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ltrlib.cli import main
from ltrlib.metrics import evaluate
from tests.helpers.metric_queries import random_queries

LETOR = ("--data", "data.txt", "--scores", "s.txt")
QUERIES = random_queries(40, seed=21, longest=14)
LABELS = np.minimum(QUERIES.labels, 2)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    owner = np.repeat(np.arange(len(QUERIES)), QUERIES.sizes)
    rows = zip(LABELS.tolist(), owner.tolist(), QUERIES.doc_ids.tolist(), strict=True)
    Path("data.txt").write_text("".join(f"{label} qid:{query} 1:1 #docid = {name}\n" for label, query, name in rows))
    Path("s.txt").write_text("".join(f"{score!r}\n" for score in QUERIES.scores.tolist()))


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(["identify", *arguments])
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def mean(text: str) -> float:
    return evaluate(text, LABELS, QUERIES.scores, QUERIES.offsets, doc_ids=QUERIES.doc_ids)[text].mean


@pytest.mark.parametrize("metric", ["ndcg@10:trec_eval", "ndcg@5:catboost", "ndcg@3:letor4"])
def test_json_has_the_promised_keys_and_the_hidden_tool(capsys: pytest.CaptureFixture[str], metric: str) -> None:
    code, out, _ = call(capsys, *LETOR, "--value", f"{mean(metric):.4f}", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["value"] == round(mean(metric), 4)
    match = next(match for match in found["matches"] if match["metric"] == metric and match["preprocessing"] is None)
    assert match["value"] == mean(metric)
    assert found["near_misses"]
    assert found["tried"] > 1000


def test_the_table_says_what_fits_and_what_to_ask_next(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--value", f"{mean('ndcg@10:lightgbm'):.2f}")
    assert code == 0
    assert "would by chance" in out
    assert "lightgbm" in out
    assert "The number to ask for next" in out


def test_a_further_number_is_taken_into_account(capsys: pytest.CaptureFixture[str]) -> None:
    value, also = f"{mean('ndcg@10:lightgbm'):.3f}", f"map={mean('map:lightgbm'):.4f}"
    code, out, _ = call(capsys, *LETOR, "--value", value, "--also", also, "--format", "json")
    assert code == 0
    tools = {match["metric"].split(":")[1].split("(")[0] for match in json.loads(out)["matches"]}
    assert "lightgbm" in tools
    assert not tools & {"sklearn", "trec_eval"}


def test_a_number_that_nothing_gives_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--value", "0.0123456789")
    assert code == 1
    assert "No tool, cut-off or preprocessing" in out
    assert "Near misses" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--value", "half"), "is not a number"),
        (("--value", "-0.3"), "no value of such a metric"),
        (("--value", "0.5", "--metric", "ndgc"), "did you mean ndcg?"),
        (("--value", "0.5", "--metric", "ndcg@10:letor4"), "what is looked for"),
        (("--value", "0.5", "--also", "0.4"), "not a metric and its number"),
        (("--value", "0.5", "--also", "ndcg@5=x"), "is not a number"),
    ],
)
def test_wrong_input_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    code, out, err = call(capsys, *LETOR, *arguments)
    assert (code, out) == (2, "")
    assert message in err
