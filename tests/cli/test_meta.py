"""``ltrlib meta``: the rows and formats that it promises, and errors that name file and line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ltrlib.cli import main
from ltrlib.project import project_data
from ltrlib.published import load_paper

RESULTS = """\
method,dataset,metric,value,source
A,d1,MAP,0.5,x
B,d1,MAP,0.3,x
"C, large",d1,MAP,.3,x

A,d2,MAP,1e-1,x
B,d2,MAP,0.2,x
B,d1,P@5,0.9,x
"C, large",d1,P@5,0.8,x
A,d1,P@5,,not evaluated
E,d9,P@5,0.4,alone
"""

EXPECTED = [
    ("A", "MAP", 2, 3, 2 / 3, 2, 1),
    ("A", "all", 2, 3, 2 / 3, 2, 1),
    ("B", "MAP", 1, 3, 1 / 3, 2, 2),
    ("B", "P@5", 1, 1, 1.0, 1, 1),
    ("B", "all", 2, 4, 0.5, 2, 1),
    ("C, large", "MAP", 0, 2, 0.0, 1, 3),
    ("C, large", "P@5", 0, 1, 0.0, 1, 2),
    ("C, large", "all", 0, 3, 0.0, 1, 2),
    ("E", "P@5", 0, 0, None, 0, None),
    ("E", "all", 0, 0, None, 0, None),
]

COLUMNS = ["method", "metric", "wn", "iwn", "nwn", "datasets", "pareto_rank"]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    path.write_text(RESULTS, encoding="utf-8")
    return path


def test_json_holds_one_row_per_method_and_metric_and_the_sum(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["meta", str(results), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [list(row) for row in rows] == [COLUMNS] * len(EXPECTED)
    assert [tuple(row.values()) for row in rows] == EXPECTED


def test_csv_holds_the_same_numbers_to_the_last_digit(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", str(results), "--format", "csv"]) == 0
    header, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert header == COLUMNS
    assert [row[:2] for row in rows] == [list(expected[:2]) for expected in EXPECTED]
    numbers = [[float(field) if field else None for field in row[2:]] for row in rows]
    assert numbers == [list(expected[2:]) for expected in EXPECTED]


def test_table_shows_every_row_with_four_digits(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", str(results)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == COLUMNS
    assert len(lines) == 1 + len(EXPECTED)
    assert lines[1].split() == ["A", "MAP", "2", "3", "0.6667", "2", "1"]
    assert lines[-1].split() == ["E", "all", "0", "0", "-", "0", "-"]


def test_the_rule_of_iwn_is_a_choice_that_the_help_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A and B tie for first: by the formula each could have won twice, but nobody won more than once."""
    path = tmp_path / "results.csv"
    path.write_text("method,dataset,metric,value\nA,d,MAP,0.3\nB,d,MAP,0.3\nC,d,MAP,0.2\n")
    found = {}
    for rule in ([], ["--iwn", "formula"], ["--iwn", "reached"]):
        assert main(["meta", str(path), "--format", "json", *rule]) == 0
        found["".join(rule)] = [(row["iwn"], row["nwn"]) for row in json.loads(capsys.readouterr().out)][::2]
    assert found[""] == found["--iwnformula"] == [(2, 0.5), (2, 0.5), (2, 0.0)]
    assert found["--iwnreached"] == [(1, 1.0), (1, 1.0), (1, 0.0)]
    with pytest.raises(SystemExit):
        main(["meta", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "The formula is the default because it is the published definition" in text
    assert "use reached to get Table B.6 exactly" in text


def test_the_shipped_matrix_gives_table_b6(capsys: pytest.CaptureFixture[str]) -> None:
    table = load_paper("tax2015").corrected("b6")
    path = project_data("published", "tax2015", "results.csv")
    assert main(["meta", str(path), "--iwn", "reached", "--format", "json"]) == 0
    rows = [row for row in json.loads(capsys.readouterr().out) if row["metric"] == "all"]
    assert [row["method"] for row in rows] == list(table.rows)
    for row in rows:
        assert [row[name] for name in ("wn", "iwn")] == [
            table.number(row["method"], name).value for name in ("wn", "iwn")
        ]
        assert table.number(row["method"], "nwn").agrees(row["nwn"])


def test_a_declared_metric_is_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.csv"
    path.write_text("method,dataset,metric,value\nA,d,DCG@10,12.5\nB,d,DCG@10,-1\n")
    assert main(["meta", str(path)]) == 2
    assert "the metric 'DCG@10' is unknown" in capsys.readouterr().err
    assert main(["meta", str(path), "--metric", "DCG@10"]) == 0


HEADER = "method,dataset,metric,value\n"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "", "the file is empty"),
        ("\n \n", "", "the file is empty"),
        (HEADER, "", "no result behind the header"),
        ("method,dataset,value\nA,d,1\n", ":1", "no column metric in the header"),
        ("method;dataset;metric;value\n", ":1", "no column method, dataset, metric, value"),
        ("method,dataset,metric,value,value\n", ":1", "the header names value twice"),
        (HEADER + "A,d,MAP,0.1\nB,d,MAP\n", ":3", "3 fields instead of 4"),
        (HEADER + "A,d,MAP,0,1\n", ":2", "5 fields instead of 4"),
        (HEADER + "A,d,MAP,0.1\n\nB,d,MAP,high\n", ":4", "'high' is not a number"),
        (HEADER + "A,d,MAP,1_0\n", ":2", "'1_0' is not a number"),
        (HEADER + "A,d,MAP,0.1\nB,d,MAP,41.2\n", ":3", "the value is outside [0, 1]"),
        (HEADER + "A,d,MAP,inf\n", ":2", "the value is infinite"),
        (HEADER + "A,d,MAP,0.1\nB,d,MAP,0.2\nA,d,MAP,0.1\n", ":4", "the same method, data set and metric as in"),
        (HEADER + ",d,MAP,0.1\n", ":2", "the method is not a name"),
        (HEADER + "A,d,loss,0.1\n", ":2", "the metric 'loss' is unknown"),
        (HEADER + "A,d,MAP,0.1\nB,d,map,0.1\n", ":3", "the metric 'map' is also written 'MAP'"),
        (HEADER + 'A,d,MAP,0.1\n"B,d,MAP,0.1\n', ":3", "not CSV"),
        ("method,dataset,metric,value\nA,d,MAP,0.1\nB\xff,d,MAP,0.1\n", ":3", "not UTF-8 text"),
    ],
)
def test_bad_files_are_refused_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str, message: str
) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(text.encode("latin-1"))
    assert main(["meta", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"ltrlib: {path}{place}")
    assert message in printed.err


def test_a_missing_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_a_name_that_a_spreadsheet_would_compute_is_written_as_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.csv"
    file.write_text("method,dataset,metric,value\n=1+1,a,MAP,0.2\n-x,a,MAP,0.3\n+2,a,MAP,0.1\n")
    assert main(["meta", str(file), "--format", "csv"]) == 0
    names = {line.partition(",")[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert names == {"'=1+1", "'-x", "+2"}


@pytest.mark.parametrize("command", ["meta", "bagplot", "compare"])
def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "zeros.csv"
    for head, what in ((b"\0", "binary data"), (b"a" * (1 << 25), "a line of more than 16,777,216 bytes")):
        file.write_bytes(head)
        if head == b"\0":
            with file.open("r+b") as sparse:
                sparse.truncate(1 << 34)
        assert main([command, str(file)]) == 2
        assert f"{file}:1: {what}" in capsys.readouterr().err
