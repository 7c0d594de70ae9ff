"""Protects the strictness of sweeps: everything that is wrong is refused at once, before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ltrlib.cli import main
from ltrlib.errors import UsageError
from ltrlib.sweeps import description
from ltrlib.sweeps.description import Point, Sweep, chapter_state, read_sweep, shipped_sweeps
from ltrlib.sweeps.parameters import Parameter, read_parameters
from tests.helpers.sweeps import CHAPTER


def write(folder: Path, text: str) -> Path:
    (folder / "squares.md").write_text(CHAPTER)
    path = folder / "sweep.yml"
    path.write_text(f"chapter: squares.md\n{text}\n")
    return path


def read(folder: Path, text: str) -> Sweep:
    return read_sweep(write(folder, text))


@pytest.mark.parametrize("path", shipped_sweeps(), ids=lambda path: path.stem)
def test_every_shipped_sweep_fits_its_chapter(path: Path) -> None:
    sweep = read_sweep(path)
    assert sweep.chapter.in_book
    assert sweep.about
    assert len(sweep.points) > 1


def test_the_state_of_a_chapter_changes_with_its_code_and_not_with_its_prose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(description, "ROOT", tmp_path)
    (tmp_path / "chapters").mkdir()
    path = tmp_path / "chapters" / "10-squares.md"

    def state(text: str) -> str:
        path.write_text(text)
        return chapter_state("10-squares")

    plain = state(CHAPTER)
    assert state(CHAPTER.replace("# Squares", "# Better words")) == plain
    assert state(CHAPTER.replace("number**2", "number**3")) != plain


def test_the_state_of_a_chapter_rests_on_what_it_imports_but_not_on_what_shows_numbers() -> None:
    code = """
import numpy as np
import ltrlib.metrics.kernels
from ltrlib import book, compiled
from ltrlib.book import notices
from ltrlib.metrics.engine import evaluate
from ltrlib.records.record import read_record
"""
    assert list(description._imported(code)) == [
        "ltrlib.metrics.kernels",
        "ltrlib.compiled",
        "ltrlib.metrics.engine:evaluate",
    ]


def test_a_grid_is_every_combination_in_the_order_of_the_file(tmp_path: Path) -> None:
    sweep = read(tmp_path, "fixed: {pause: 1}\ngrid: {number: [2, 1], fail: [false, true]}")
    assert [dict(point.parameters) for point in sweep.points] == [
        {"pause": 1, "number": 2, "fail": False},
        {"pause": 1, "number": 2, "fail": True},
        {"pause": 1, "number": 1, "fail": False},
        {"pause": 1, "number": 1, "fail": True},
    ]
    assert sweep.varied == ["pause", "number", "fail"]


def test_a_list_of_points_may_give_different_parameters(tmp_path: Path) -> None:
    sweep = read(tmp_path, "points: [{number: 1}, {fail: true}, {words: [b, c]}, {}]")
    assert [str(point) for point in sweep.points] == ["number=1", "fail=True", "words=['b', 'c']", "all defaults"]


def test_the_folder_of_a_point_depends_on_values_and_their_types_not_on_their_order() -> None:
    assert Point({"a": 1, "b": 2}).key == Point({"b": 2, "a": 1}).key
    different = [Point({"a": value}).key for value in (1, "1", 1.5, True, [1], None)]
    assert len(set(different)) == len(different)


def test_all_problems_are_told_in_one_message(tmp_path: Path) -> None:
    text = """
fixed: {numbre: 3, pause: -1, fail: 1}
grid:
  number: ["3", 3, 101, 3, true, 2.5]
  words: [[a, d], a]
  fail: [false]
"""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert str(caught.value).splitlines()[1:12] == [
        "  - fixed.numbre: there is no such parameter; did you mean number?",
        '  - fixed.pause: -1 is not within "at least 0"',
        "  - fixed.fail: 1 is not of type bool",
        "  - grid.number: '3' is not of type int",
        '  - grid.number: 101 is not within "0 to 100"',
        "  - grid.number: True is not of type int",
        "  - grid.number: 2.5 is not of type int",
        "  - grid.words: 'd' is not one of a, b, c",
        "  - grid.words: 'a' is not of type list[str]",
        "  - grid.fail: is fixed as well",
        "  - points 3 and 7 are the same: numbre=3, pause=-1, fail=False, number=3, words=['a', 'd']",
    ]
    assert "problems, so nothing was run" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("points: [{number: 5}, {}]", "points 1 and 2 are the same: all defaults"),
        ("points: [{number: 1}, {number: 1}]", "points 1 and 2 are the same: number=1"),
        ("grid: {number: 3}", "grid.number: 3 is not a list of values"),
        ("grid: {number: []}", r"grid.number: \[\] is not a list of values"),
        ("grid: {number: [.nan]}", "nan is not of type int"),
        ("grid: {pause: [.nan]}", "nan is not within"),
        ("grid: {number: [1]}\npoints: [{number: 2}]", "give either grid or points"),
        ("about: nothing", "give either grid or points"),
        ("points: {}", "points: not a list"),
        ("points: []", "points: not a list"),
        ("points: [3]", "points: not a list"),
        ("fixed: 3\ngrid: {number: [1]}", "fixed: not a table"),
        ("girds: {number: [1]}", "unknown key 'girds'"),
        ("grid: {number: [1], number: [2]}", "'number' is given twice"),
        ("grid: {number: [1]}\ngrid: {number: [2]}", "'grid' is given twice"),
        ("grid: {number: [1", "not YAML"),
        ("about: [1]\ngrid: {number: [1]}", "about: not a text"),
        ("grid: {no_such: [1]}", "the chapter has number, fail, pause, words"),
        ("grid: {1: [1], number: [2]}", "grid: 1 is not a name"),
        ("grid: {on: [1], null: [2]}", "grid: True is not a name"),
        ("points: [{number: 1}, {on: 1}]", "points, number 2: True is not a name"),
        ("inputs: rows.csv\ngrid: {number: [1]}", "inputs: not a list of paths"),
        ("inputs: [rows.csv]\ngrid: {number: [1]}", "inputs: there is no file .*rows.csv"),
        ("about: &a [*a]", "too long"),
        ("about: " + "[" * 5000, "nested too deeply"),
    ],
)
def test_each_fault_of_a_file_is_found(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["- 1", "grid: {}", "chapter: no-such\ngrid: {number: [1]}", "chapter: 3"])
def test_a_sweep_needs_a_chapter(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sweep.yml"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"chapter|not a description"):
        read_sweep(path)


def test_a_parameter_without_a_type_is_told_with_its_cure_in_one_line(tmp_path: Path) -> None:
    path = write(tmp_path, "grid: {number: [1]}")
    (tmp_path / "squares.md").write_text(CHAPTER.replace("number: int =", "number ="))
    with pytest.raises(UsageError, match=r"default: number = \d+; write name: type = default"):
        read_sweep(path)


def test_a_chapter_without_a_parameters_cell_cannot_be_swept(tmp_path: Path) -> None:
    path = write(tmp_path, "grid: {number: [1]}")
    (tmp_path / "squares.md").write_text(CHAPTER.replace(":tags: [parameters]", ""))
    with pytest.raises(UsageError, match="0 cells tagged parameters"):
        read_sweep(path)


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        ("x: int = 1  # anything", [0, -5, 10**9], [1.5, "1", True, None, [1]]),
        ("x: float = 1.0  # a share, above 0 and at most 1", [0.5, 1, 1e-9], [0, 1.01, "a", True]),
        ("x: float = 0.5  # below 1", [0.99, -3], [1]),
        ("x: int = 2000  # trees, 1 to 10,000", [1, 10000], [0, 10001]),
        ("x: int | None = None  # a limit, at least 1", [None, 3], [0, "3"]),
        ("x: list[int] = [1, 2]  # folds, 1 to 5", [[1, 5], []], [[0], [6, 1], 3, ["1"]]),
        ("x: tuple[int, ...] = (1,)  # sizes", [[1, 2]], [[1.5]]),
        ("x: list[list[int]] = [[1]]  # lists", [[[1], [2, 3]]], [[1]]),
        ("x: str = 'b'  # a letter: a, b or c", ["a", "c"], ["d", 1]),
        ("x: Literal['a', 'b'] = 'a'  # a letter", ["b"], ["c"]),
        ("x: str = 'z'  # not a choice: a, b or c", ["anything"], [3]),
        ("x: int = 7  # not its range: 1 to 5 in the paper", [9], [1.5]),
        ("dataset: str = 'mq2008'  # a set", ["mq2008", "standin/mq2008"], ["mq2009", 3]),
    ],
)
def test_types_and_ranges_come_from_the_parameters_cell(declared: str, good: list[object], bad: list[object]) -> None:
    (parameter,) = read_parameters(declared).values()
    assert [list(parameter.problems(value)) for value in good] == [[]] * len(good)
    assert all(list(parameter.problems(value)) for value in bad)
    assert list(parameter.problems(parameter.default)) == []


def test_a_hash_sign_in_a_default_is_not_a_comment() -> None:
    assert read_parameters("x: str = 'ä # b'  # the text") == {"x": Parameter("x", "str", "ä # b", "the text")}


def test_a_default_that_the_chapter_computes_is_kept_as_it_is_written() -> None:
    parameter = read_parameters("x: float = study.NEAR  # at least 0")["x"]
    assert parameter.default == "study.NEAR"
    assert list(parameter.problems(0.5)) == []
    assert list(parameter.problems(-0.5))


@pytest.mark.parametrize("code", ["x = 3", "x: int", "import os"])
def test_a_cell_with_anything_but_typed_defaults_is_refused(code: str) -> None:
    with pytest.raises(UsageError):
        read_parameters(code)


def test_a_type_that_cannot_be_checked_is_refused_instead_of_let_through() -> None:
    with pytest.raises(UsageError, match="cannot check values of type dict"):
        list(read_parameters("x: dict[str, int] = {}")["x"].problems({}))


def test_the_command_line_shows_problems_and_exits_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "grid: {number: [1, 101], fail: [0]}")
    assert main(["sweep", str(path), "--runs", str(tmp_path / "runs")]) == 2
    shown = capsys.readouterr().err
    assert "2 problems, so nothing was run" in shown
    assert not (tmp_path / "runs").exists()


def test_dry_run_and_list_run_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "grid: {number: [1, 2]}")
    assert main(["sweep", str(path), "--dry-run", "--runs", str(tmp_path / "runs")]) == 0
    shown = capsys.readouterr().out
    assert "number=2  (missing)" in shown
    assert "2 of 2 points to run; how long is not known before one has been run" in shown
    assert main(["sweep", "--list", "--runs", str(tmp_path / "runs")]) == 0
    shown = capsys.readouterr().out
    assert all(f"{path.stem}: " in shown for path in shipped_sweeps())
    assert not (tmp_path / "runs").exists()
    assert main(["sweep"]) == 2
    assert main(["sweep", "show", str(path), "--runs", str(tmp_path / "runs")]) == 2
    assert main(["sweep", str(path), "--workers", "0"]) == 2


def test_a_huge_grid_is_counted_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = list(range(100))
    path = write(tmp_path, f"grid: {{number: {values}, pause: {values}, words: {[['a']] * 100}, fail: {[True] * 100}}}")
    assert main(["sweep", str(path), "--dry-run"]) == 2
    assert "100,000,000 points, where 20,000 are the most" in capsys.readouterr().err


def test_aliases_of_aliases_and_endless_lines_are_refused_at_once(tmp_path: Path) -> None:
    levels = "\n".join(f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 10)}]" for n in range(1, 10))
    for text in (f"k0: &k0 [1]\n{levels}", "about: " + "x" * 2_000_000):
        with pytest.raises(UsageError, match="too long"):
            read(tmp_path, text)


@pytest.mark.parametrize(
    ("chapter", "complaint"),
    [("sweep.yml", "cells tagged parameters|not a notebook"), ('"\\ud800"', "not a path"), ('"a\\0b"', "not a path")],
)
def test_what_is_no_chapter_is_told_apart(tmp_path: Path, chapter: str, complaint: str) -> None:
    path = tmp_path / "sweep.yml"
    path.write_text(f"chapter: {chapter}\ngrid: {{number: [1]}}\n")
    with pytest.raises(UsageError, match=complaint):
        read_sweep(path)


def test_parameters_that_are_not_python_are_shown(tmp_path: Path) -> None:
    path = write(tmp_path, "grid: {number: [1]}")
    (tmp_path / "squares.md").write_text(CHAPTER.replace("number: int = 5", "number: int = = 5"))
    with pytest.raises(UsageError, match=r"cell of parameters is not Python: .*number: int = = 5"):
        read_sweep(path)
