"""Protects the rule of addresses: a paper is one folder of rooms, one of published numbers, and its chapters.

A tiny paper is added to a copy of the project, and nothing else is edited: its claims are found, checked and listed,
its page is built and shows them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.project import ROOT

PUBLISHED = """paper: tiny2020
title: A tiny paper
authors: A. Author and B. Author
published_in: Journal of Examples 1
cite: tax2015
tables:
  table1:
    title: Table 1
    place: page 1
    about: Two numbers and their sum.
    columns: {row: key, value: number}
"""
TABLE = "row,value\nfirst,1\nsecond,2\nsum,3\n"
CLAIMS = '''"""Claims on the only table of the tiny paper."""

from __future__ import annotations

from ltrlib.claims.cells import Value
from ltrlib.claims.claim import ClaimList
from ltrlib.published.tables import Paper

claims = ClaimList(__name__)


@claims.add("table1.sum", place="Table 1, last row", statement="The rows add up to the printed sum.")
def _(paper: Paper) -> Value:
    table = paper["table1"]
    first, second, total = (table.number(row, "value") for row in ("first", "second", "sum"))
    return Value(total, first.exact + second.exact)
'''
ON_RECORD = '''"""A claim on its record."""

from __future__ import annotations

from ltrlib.claims.cells import Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

claims = ClaimList(__name__)


@claims.add(
    "table1.squares", place="Table 1", statement="The second is a square.", material=RecordedResult("tiny2020/squares")
)
def _(paper: Paper, record: Record) -> Value:
    return Value(paper["table1"].number("first", "value"), int(record.table["square"][1]))
'''
ACROSS = CLAIMS.replace("ClaimList(__name__)", 'ClaimList(__name__, chapter="70-tiny2020-paper")').replace(
    "table1.sum", "table1.compared"
)
RECORDS = '''"""What the tiny paper records."""

from __future__ import annotations

from ltrlib.records.record import Table

SQUARES = Table("tiny2020/squares", {"x": "int", "square": "int"}, maker="ltrlib.papers.tiny2020.paper.runs:SQUARES")
'''
RUNS = '''"""How its record is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ltrlib.papers.tiny2020.paper import records
from ltrlib.records.making import Run


def _pieces() -> Sequence[Mapping[str, int]]:
    return [{"x": x} for x in range(3)]


def _square(piece: Mapping[str, int]) -> pd.DataFrame:
    return pd.DataFrame([{"x": piece["x"], "square": piece["x"] ** 2}])


SQUARES = Run(tables=(records.SQUARES,), pieces=_pieces, do=_square)
'''
RESCORE = """
from ltrlib.across.conventions.rescoring import rescore_all
from ltrlib.claims.registry import claims
print([one.reason for one in rescore_all(claims("tiny2020"))])
"""
CHAPTER = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, language: python, display_name: Python 3}
---
# The tiny paper

```{code-cell} ipython3
:tags: [remove-cell]
from ltrlib import book
from ltrlib.book import notices
from ltrlib.claims.registry import claims
from ltrlib.papers.tiny2020.paper import records

book.start("tiny2020")
outcomes = [claim.check() for claim in claims("tiny2020", "paper")]
```

```{code-cell} ipython3
:tags: [remove-input]
notices.show_claims(outcomes, name="tab-tiny2020-claims", caption="All claims.")
book.show_table(records.SQUARES.read().table.astype(str), name="tab-tiny2020-squares", caption="A record.")
```
"""
TOC = """format: jb-book
root: first
chapters:
  - file: chapters/70-tiny2020-paper
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    ignore = shutil.ignore_patterns("__pycache__", "results")
    for name in ("ltrlib", "data"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    for name in ("_config.yml", "references.bib", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "chapters").mkdir()
    for path in (ROOT / "chapters").glob("*.md"):
        shutil.copy(path, folder / "chapters")
    shutil.copytree(ROOT / "chapters" / "_static", folder / "chapters" / "_static")
    write(folder / "data" / "published" / "tiny2020", {"paper.yml": PUBLISHED, "table1.csv": TABLE})
    write(folder / "ltrlib" / "papers" / "tiny2020", {"__init__.py": '"""A tiny paper."""\n'})
    room = {"__init__.py": '"""Its only room."""\n', "claims.py": CLAIMS, "records.py": RECORDS, "runs.py": RUNS}
    room |= {"claims_record.py": ON_RECORD}
    write(folder / "ltrlib" / "papers" / "tiny2020" / "paper", room)
    across = {"__init__.py": '"""A room across papers."""\n', "claims_tiny2020.py": ACROSS}
    write(folder / "ltrlib" / "across" / "compared", across)
    write(folder, {"chapters/70-tiny2020-paper.md": CHAPTER, "_toc.yml": TOC, "first.md": "# A book\n"})
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def call(project: Path, *command: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(project), "LTRLIB_CACHE": str(project / "cache")}
    run = subprocess.run([sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    return run.stdout


def test_its_claims_are_found_and_checked(project: Path) -> None:
    listed = call(project, "-m", "ltrlib", "claims", "--paper", "tiny2020")
    assert "tiny2020.table1.sum" in listed
    assert "exact" in call(project, "-m", "ltrlib", "claims", "check", "tiny2020.table1.sum")
    assert "tiny2020.table1.compared" in listed, "a room across papers holds claims of a paper, too"
    assert "tiny2020" not in call(project, "-m", "ltrlib", "claims", "--paper", "koppel2019")


def test_its_record_is_made_by_the_one_command_and_its_page_shows_both(project: Path) -> None:
    made = call(project, "-m", "ltrlib", "record", "tiny2020")
    assert "1 records made" in made
    assert "exact" in call(project, "-m", "ltrlib", "claims", "check", "tiny2020.table1.squares")
    assert "one tool only" in call(project, "-c", RESCORE), "the page on conventions needs no entry for it"
    call(project, str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "-W", "-n", "--keep-going")
    page = (project / "_build" / "html" / "chapters" / "70-tiny2020-paper.html").read_text()
    assert 'id="claim-tiny2020-table1-sum"' in page
    assert "The rows add up to the printed sum." in page
    assert "verdict-exact" in page


def test_imports_still_look_down_only(project: Path) -> None:
    call(project, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))")
