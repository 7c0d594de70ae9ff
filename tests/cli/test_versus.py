"""``ltrlib versus`` from end to end: patterns, tables, JSON, page, segments, and wrong input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ltrlib.cli import main
from ltrlib.metrics import evaluate
from ltrlib.metrics.run_files import expand, segments

SIZES = {1: 12, 2: 9}  # queries of each fold, of six documents


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    attributes = ["qid,kind,length"]
    for fold, count in SIZES.items():
        labels = rng.integers(0, 3, count * 6)
        owner = [f"{fold}-{place // 6}" for place in range(count * 6)]
        lines = [f"{label} qid:{query} 1:1\n" for label, query in zip(labels.tolist(), owner, strict=True)]
        Path(f"fold{fold}.txt").write_text("".join(lines))
        attributes += [f"{fold}-{n},{'long' if n % 2 else 'short'},{n}" for n in range(count)]
        for seed in (1, 2, 10):
            for name, noise in (("good", 0.5), ("<b>bad", 3.0)):
                scores = labels + rng.normal(0, noise, labels.size)
                Path(f"{name}-{fold}-{seed}.txt").write_text("".join(f"{score}\n" for score in scores))
    Path("attributes.csv").write_text("\n".join(attributes) + "\n")


GOOD, BAD = ("--method", "good", "good-{fold}-{seed}.txt"), ("--method", "<b>bad", "<b>bad-{fold}-{seed}.txt")
BASE = ("--data", "fold{fold}.txt", *GOOD, *BAD)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(["versus", *arguments])
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_means_are_those_of_the_single_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *BASE, "--metric", "ndcg@5:sklearn", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["seeds"] == {"good": [3, 3], "<b>bad": [3, 3]}
    assert found["queries"] == sum(SIZES.values())
    total = 0.0
    for fold, count in SIZES.items():
        labels = [int(line.split()[0]) for line in Path(f"fold{fold}.txt").read_text().splitlines()]
        for seed in (1, 2, 10):
            scores = np.loadtxt(f"good-{fold}-{seed}.txt")
            values = evaluate("ndcg@5:sklearn", labels, scores, np.arange(0, count * 6 + 1, 6))["ndcg@5:sklearn"]
            total += values.per_query.sum() / 3
    good = next(one for one in found["methods"] if one["method"] == "good")
    assert good["mean"] == pytest.approx(total / sum(SIZES.values()), rel=1e-12)
    pair = found["comparisons"][0]
    assert pair["interval"][0] < pair["difference"] < pair["interval"][1]
    assert pair["outcome"] == "better"


def test_the_table_tells_outcome_family_and_what_is_not_contained(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *BASE, "--metric", "ndcg@5", "map", "--margin", "0.01")
    assert code == 0
    assert "good better" in out
    assert "family of 2 comparisons" in out
    code, out, _ = call(
        capsys, "--data", "fold{fold}.txt", "--method", "a", "good-{fold}-1.txt", "--method", "b", "good-{fold}-2.txt"
    )
    assert "One run per fold: a, b." in out


def test_kinds_of_queries_are_compared_by_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *BASE, "--by", "attributes.csv:kind", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert {one["kind"]: one["queries"] for one in found["segments"]} == {"long": 10, "short": 11}
    code, out, _ = call(capsys, *BASE, "--by", "attributes.csv:length")
    assert "ndcg@10 by length" in out
    assert "0 to 2" in out


def test_trec_runs_are_compared_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n3 0 a 2\n3 0 b 0\n")
    for seed, order in (("1", (2, 1)), ("2", (1, 2))):
        for name, extra in (("x", 0.0), ("y", 5.0)):
            lines = [f"{q} Q0 a 1 {order[0] + extra * (q == 2)} t\n{q} Q0 b 2 {order[1]} t\n" for q in (1, 2, 3)]
            Path(f"{name}.{seed}").write_text("".join(lines))
    code, out, _ = call(
        capsys, "--qrels", "qrels", "--method", "x", "x.{seed}", "--method", "y", "y.{seed}", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["comparisons"][0]["difference"] < 0


def test_the_page_is_escaped_whole_and_never_replaces_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = call(capsys, *BASE, "--output", "page.html", "--by", "attributes.csv", "--margin", "0.02")
    assert code == 0
    text = Path("page.html").read_text()
    assert "<b>" not in text
    assert "&lt;b&gt;bad" in text
    assert text.count("<svg") == 2
    before = Path("good-1-1.txt").read_text()
    code, out, err = call(capsys, *BASE, "--output", "good-1-1.txt")
    assert (code, out) == (2, "")
    assert "this is the input" in err
    assert Path("good-1-1.txt").read_text() == before


def test_patterns_sort_numbers_as_numbers_and_may_repeat_a_name() -> None:
    assert [seed for _, seed in expand("good-1-{seed}.txt")] == ["1", "2", "10"]
    Path("d1").mkdir()
    Path("d1/f1.txt").touch()
    Path("d1/f2.txt").touch()
    assert list(expand("d{fold}/f{fold}.txt")) == [("1", "")]


def test_numbers_with_many_values_are_cut_into_quarters() -> None:
    names = [str(n) for n in range(40)]
    found = segments({name: name for name in names}, [names])
    assert list(found) == ["0 to 9", "10 to 19", "20 to 29", "30 to 39"]
    assert [int(masks[0].sum()) for masks in found.values()] == [10, 10, 10, 10]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--data", "fold{fold}.txt", *GOOD), "two methods or more"),
        (("--data", "fold{fold}.txt", *GOOD, *GOOD), "two methods or more"),
        (("--data", "fold{fold}.txt", *GOOD, "--method", "x", "no-{seed}"), "no file has such a name"),
        (("--data", "fold{part}.txt", *GOOD, *BAD), "{part} is not known"),
        (("--data", "fold{seed}.txt", *GOOD, *BAD), "labels have no seed"),
        (("--data", "fold1.txt", *GOOD, *BAD), "same folds"),
        (("--data", "fold{fold}.txt", *GOOD, "--method", "x", "good-1-{fold}.txt"), "same folds"),
        ((*BASE, "--by", "no.csv"), "no such file"),
        ((*BASE, "--by", "attributes.csv:width"), "there is no column"),
        ((*BASE, "--metric", "numret"), "a count has no mean"),
        ((*BASE, "--baseline", "x"), "there is no method"),
        ((*BASE, "--margin", "-1"), "margin"),
    ],
)
def test_wrong_input_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_score_file_of_the_wrong_length_names_both_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good-1-1.txt").write_text("1\n")
    code, _, err = call(capsys, *BASE)
    assert code == 2
    assert "good-1-1.txt: 1 scores, but fold1.txt has 72 documents" in err
