"""Protects rerunning a chapter from its MyST source with papermill."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.project import ROOT

CHAPTER = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---
# T

```{code-cell}
:tags: [parameters]
folds: int = 5  # number of folds, 1 to 5
words: list[str] = ["a"]  # some words: a or b
```

```{code-cell}
print("folds", folds)
```
"""


def papermill(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "papermill", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_papermill_runs_a_myst_chapter_with_another_parameter(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "10-x.md").write_text(CHAPTER)
    done = papermill("chapters/10-x.md", "out.ipynb", "-p", "folds", "3", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / "out.ipynb").read_text())["cells"]
    assert cells[-1]["outputs"][0]["text"] == ["folds 3\n"]


def test_papermill_reads_a_chapter_by_its_absolute_path_and_shows_types_defaults_and_help(tmp_path: Path) -> None:
    path = tmp_path / "10-x.md"
    path.write_text(CHAPTER)
    shown = papermill("--help-notebook", str(path)).stdout
    assert "folds: int (default 5)" in shown
    assert "number of folds" in shown


def test_papermill_runs_a_chapter_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "10-x.md").write_text(CHAPTER)
    done = papermill("10-x.md", "out.ipynb", "-p", "folds", "3", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("-p", "fold", "3"), "fold: there is no such parameter; did you mean folds?"),
        (("-p", "folds", "three"), "folds: 'three' is not of type int"),
        (("-p", "folds", "2.5"), "folds: 2.5 is not of type int"),
        (("-p", "folds", "6"), 'folds: 6 is not within "1 to 5"'),
        (("-p", "words", "[a]"), "words: '[a]' is not of type list[str]"),
        (("-y", "{words: [a, c], folds: .nan}"), "words: 'c' is not one of a, b"),
    ],
)
def test_papermill_gives_no_parameter_that_the_chapter_cannot_use(
    tmp_path: Path, given: tuple[str, ...], complaint: str
) -> None:
    """By itself papermill takes any, and the chapter fails late or, with a mistyped name, not at all."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "10-x.md").write_text(CHAPTER)
    done = papermill("chapters/10-x.md", "out.ipynb", *given, cwd=tmp_path)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert "to do: papermill --help-notebook" in done.stderr
    cells = json.loads((tmp_path / "out.ipynb").read_text())["cells"]
    assert cells[-1]["outputs"] == []


def test_lists_are_given_as_yaml(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "10-x.md").write_text(CHAPTER)
    assert papermill("chapters/10-x.md", "out.ipynb", "-y", "{words: [b, a]}", cwd=tmp_path).returncode == 0
