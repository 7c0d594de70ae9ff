"""``ltrlib bagplot``: the JSON that it promises, and errors that name file and line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ltrlib.cli import main

GOLDEN = json.loads(Path(__file__).parents[1].joinpath("golden", "bagplot.json").read_text())["sets"]


@pytest.mark.parametrize("name", GOLDEN)
def test_json_holds_the_golden_numbers(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "points.csv"
    path.write_text("iwn,nwn\n" + "".join(f"{x},{y}\n" for x, y in GOLDEN[name]["points"]))
    assert main(["bagplot", str(path), "--format", "json"]) == 0
    got = json.loads(capsys.readouterr().out)
    exact = GOLDEN[name]["exact"]
    assert list(got) == ["center", "depths", "bag", "fence", "loop", "type", "outliers"]
    for key in ("depths", "type", "outliers"):
        assert got[key] == exact[key]
    assert got["center"] == pytest.approx(exact["center"], rel=1e-12)
    for key in ("bag", "fence", "loop"):
        assert np.array(got[key]) == pytest.approx(np.array(exact[key]), rel=1e-12)


def test_table_shows_each_point_with_its_type_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,y\n0,0\n1,0\n2,0\n3,0\n4,0\n2,5\n")
    assert main(["bagplot", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["center", "2", "0"]
    assert [line.split()[3:] for line in lines[2:]] == [
        ["1", "fence"],
        ["2", "bag"],
        ["3", "center"],
        ["2", "bag"],
        ["1", "fence"],
        ["1", "outlier"],
    ]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "", "the file is empty"),
        ("x,y\n", "", "no point behind the header"),
        ("x,y,z\n1,2,3\n", ":1", "3 columns instead of 2"),
        ("1,2\n3,4\n", ":1", "the header is missing"),
        ("x,y\n1,2\n3,four\n", ":3", "'four' is not a number"),
        ("x,y\n1,2\n3,\n", ":3", "'' is not a number"),
        ("x,y\n1,2\nnan,2\n", ":3", "a coordinate is not finite"),
        ("x,y\n1,2\n3\n", ":3", "1 fields instead of 2"),
    ],
)
def test_bad_files_are_refused_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str, message: str
) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text)
    assert main(["bagplot", str(path), "--format", "json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"ltrlib: {path}{place}")
    assert message in printed.err


def test_more_points_than_anybody_waits_for_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "points.csv"
    file.write_text("x,y\n" + "".join(f"{i},{i * i % 1009}\n" for i in range(20_001)))
    assert main(["bagplot", str(file)]) == 2
    assert "20,001 points are more than 20,000" in capsys.readouterr().err
