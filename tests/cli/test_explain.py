"""``ltrlib explain`` from end to end: table, JSON, page, and wrong input."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ltrlib.cli import main
from ltrlib.metrics import evaluate

LETOR = ("--data", "data.txt", "--scores", "s.txt")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.txt").write_text("2 qid:a 1:1\n0 qid:a 1:1\n1 qid:a 1:1\n0 qid:<i>b 1:1\n0 qid:<i>b 1:1\n")
    Path("s.txt").write_text("0.1\n0.2\n0.3\n0.3\n0.1\n")
    Path("qrels").write_text("1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n3 0 a 1\n")
    Path("run").write_text("1 Q0 x 1 0.9 t\n1 Q0 a 2 0.8 t\n3 Q0 a 1 0.5 t\n")


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(["explain", *arguments])
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_json_has_the_promised_keys_and_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--between", "lightgbm", "sklearn", "--metric", "ndcg@5", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["between"] == ["lightgbm", "sklearn"]
    assert found["metric"] == "ndcg@5"
    assert sum(found["parts"].values()) == pytest.approx(found["difference"], abs=1e-12)
    labels, scores, offsets = [2, 0, 1, 0, 0], [0.1, 0.2, 0.3, 0.3, 0.1], [0, 3, 5]
    direct = evaluate(["ndcg@5:lightgbm", "ndcg@5:sklearn"], labels, scores, offsets)
    assert found["difference"] == direct["ndcg@5:lightgbm"].mean - direct["ndcg@5:sklearn"].mean
    assert found["parts"]["empty queries"] == 0.5
    assert found["top_queries"][0]["query"] == "<i>b"


def test_the_table_names_causes_queries_and_ranks(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--between", "lightgbm", "sklearn")
    assert code == 0
    assert "empty queries  score 1      score 0   +0.500000" in out
    assert "rank 1" in out


def test_every_form_that_eval_takes_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    import gzip

    asked = ("--between", "lightgbm", "sklearn", "--format", "json")
    plain = json.loads(call(capsys, *LETOR, *asked)[1])["parts"]
    rows = zip([2, 0, 1, 0, 0], "aaabb", [0.1, 0.2, 0.3, 0.3, 0.1], strict=True)
    Path("t.csv").write_text("label,qid,score\n" + "".join(f"{label},{qid},{score}\n" for label, qid, score in rows))
    Path("data.txt.gz").write_bytes(gzip.compress(Path("data.txt").read_bytes()))
    assert json.loads(call(capsys, "--data", "t.csv", *asked)[1])["parts"] == plain
    assert json.loads(call(capsys, "--data", "data.txt.gz", "--scores", "s.txt", *asked)[1])["parts"] == plain


def test_trec_files_are_taken_as_eval_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(
        capsys, "--qrels", "qrels", "--run", "run", "--between", "ranx", "trec_eval", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["parts"]["queries missing from the run"] < 0
    assert "not in the run: each tool has its own rule" in err


@pytest.mark.parametrize("between", [("lightgbm(empty=0)", "ltrlib"), ("ndcg@10:yahoo", "ndcg@3:sklearn")])
def test_a_side_may_change_choices_or_be_a_metric(capsys: pytest.CaptureFixture[str], between: tuple[str, str]) -> None:
    code, out, _ = call(capsys, *LETOR, "--between", *between, "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert sum(found["parts"].values()) == pytest.approx(found["difference"], abs=1e-12)


class Tags(HTMLParser):
    """Notes tags and links."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]


def test_the_page_escapes_everything_and_loads_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("<script>.txt").write_text(Path("s.txt").read_text())
    code, _, _ = call(
        capsys, "--data", "data.txt", "--scores", "<script>.txt", "--between", "yahoo", "letor4", "--output", "p.html"
    )
    assert code == 0
    text = Path("p.html").read_text()
    tags = Tags()
    tags.feed(text)
    assert "script" not in tags.seen
    assert "i" not in tags.seen
    assert "&lt;i&gt;b" in text
    assert tags.links == []


def test_the_page_never_replaces_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("s.txt").read_text()
    Path("link.html").symlink_to("s.txt")
    for output in ("s.txt", "link.html"):
        code, out, err = call(capsys, *LETOR, "--between", "yahoo", "letor4", "--output", output)
        assert (code, out) == (2, "")
        assert "this is the input" in err
    assert Path("s.txt").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*LETOR, "--between", "lightbgm", "sklearn"), "did you mean lightgbm?"),
        ((*LETOR, "--between", "lightgbm", "sklearn", "--metric", "map"), "sklearn has no map"),
        ((*LETOR, "--between", "ndcg@10", "map"), "different metrics, not two conventions of one"),
        ((*LETOR, "--between", "lightgbm", "sklearn", "--metric", "ndcg@1..3"), "3 metrics"),
        ((*LETOR, "--between", "lightgbm", "sklearn", "--metric", "ndcg@10:yahoo"), "--between only"),
        ((*LETOR, "--between", "lightgbm(empty=1)", "sklearn", "--metric", "ndcg@3(gain=linear)"), "give them once"),
        (("--data", "data.txt", "--between", "lightgbm", "sklearn"), "not clear what to score"),
        ((*LETOR, "--between", "lightgbm", "sklearn", "--output", "no/p.html"), "no such folder"),
        ((*LETOR, "--between", "lightgbm", "sklearn", "--output", "."), "folder"),
        ((*LETOR, "--between", "lightgbm", "sklearn", "--top", "-1"), "0 or more"),
    ],
)
def test_wrong_input_is_told(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
