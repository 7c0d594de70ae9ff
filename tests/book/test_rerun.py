"""Protects rerunning a chapter: as a page of the book, and as a notebook that reads right in Jupyter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

from ltrlib.book.notebooks import readable, runnable
from ltrlib.book.rerun import changed_source, find_chapter, parameters_of, parse_values
from ltrlib.cli import main
from ltrlib.errors import UsageError
from ltrlib.project import ROOT

CHAPTERS = [p for p in sorted((ROOT / "chapters").glob("*.md")) if "{code-cell}" in p.read_text()]
PAGE = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---
# A chapter

```{code-cell} ipython3
:tags: [parameters]
cutoff: int = 10  # of NDCG
```

```{code-cell} ipython3
from ltrlib import book
from ltrlib.book.output import show_markdown
book.glue("x.cutoff", f"{cutoff}")
show_markdown(":::{note}\\nA <b>note</b>.\\n:::")
```

The cut-off is {glue:text}`x.cutoff`, says {cite:t}`tax2015`.

:::{note}
Look.
:::
"""


def run_papermill(folder: Path) -> list[dict[str, object]]:
    (folder / "chapters").mkdir()
    (folder / "chapters" / "10-x.md").write_text(PAGE)
    command = [sys.executable, "-m", "papermill", "chapters/10-x.md", "out.ipynb", "-p", "cutoff", "5"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    cells: list[dict[str, object]] = json.loads((folder / "out.ipynb").read_text())["cells"]
    return cells


def test_plain_papermill_gives_numbers_in_the_prose_and_no_raw_markup(tmp_path: Path) -> None:
    cells = run_papermill(tmp_path)
    prose = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")  # type: ignore[arg-type]
    shown = json.dumps([cell.get("outputs", []) for cell in cells], ensure_ascii=False)
    assert "The cut-off is 5, says Tax et al. 2015." in shown
    assert "{glue" not in prose
    assert ":::" not in prose
    pages = [
        "".join(output["data"]["text/html"])
        for cell in cells
        for output in cell.get("outputs", [])  # type: ignore[attr-defined]
        if "text/html" in output.get("data", {})
    ]
    assert any("<b>note</b>" in page for page in pages)
    assert not any("&lt;" in page or ":::" in page for page in pages)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_chapter_keeps_markup_that_a_notebook_cannot_show(path: Path) -> None:
    made = runnable(jupytext.read(path))
    prose = "\n".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    for mark in ("{glue", ":::", "```{", "{cite", "{numref", "{ref}", "{doc}"):
        assert mark not in prose, mark


def test_a_finished_notebook_has_each_output_in_one_form() -> None:
    output = {"data": {"text/html": "<p>a</p>", "text/markdown": "a"}, "output_type": "display_data", "metadata": {}}
    made = readable({"cells": [{"cell_type": "code", "source": "", "metadata": {}, "outputs": [output]}]})
    assert made["cells"][0]["outputs"][0]["data"] == {"text/html": "<p>a</p>"}


def test_the_page_of_a_rerun_says_what_was_changed() -> None:
    chapter = find_chapter("40")
    values = parse_values(["verdict=exact"], parameters_of(chapter))
    text = changed_source(chapter.read_text(), values)
    assert "Changed: `verdict` from `\"all\"` to `'exact'`." in text
    assert "verdict: str = 'exact'  # " in text
    assert text.index("# DirectRanker") < text.index("A rerun") < text.index("show_answer")


@pytest.mark.parametrize("given", ["fold", "fold=x", "fould=2", "fold=True"])
def test_bad_parameters_are_refused_before_anything_runs(given: str) -> None:
    with pytest.raises(UsageError):
        parse_values([given], parameters_of(find_chapter("42")))


def test_a_folder_that_holds_something_else_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["rerun", "40", "--output", str(tmp_path)]) == 2
    assert "holds something else" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_parameters_of_a_chapter_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rerun", "42", "--list"]) == 0
    assert "fold: int = 1" in capsys.readouterr().out
