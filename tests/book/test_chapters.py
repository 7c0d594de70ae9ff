"""Protects the form of every chapter, and the lint itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from ltrlib.book.lint import lint_chapter, logic_of, without_convention
from ltrlib.project import ROOT
from ltrlib.published.tables import PAPERS, load_paper, load_table

CHAPTERS = [p for p in sorted((ROOT / "chapters").glob("*.md")) if "{code-cell}" in p.read_text()]

FRONT = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---

"""
GOOD = (
    FRONT
    + """# A title

```{code-cell} ipython3
from ltrlib import book
book.start("x")
```

```{code-cell} ipython3
:tags: [parameters]
folds: int = 5  # how many
```

Equal to {glue:text}`x.value` under LETOR 4.0, `0.5` in code, $0.5$ in mathematics.
"""
)


# Shorter numbers, such as 0.5 or 10, stand in code for other reasons too.
PUBLISHED = frozenset(
    text
    for paper in PAPERS
    for table in load_paper(paper).header.tables
    for text in load_table(paper, table).tidy()["text"]
    if re.fullmatch(r"\d+\.\d{3,}|\d[\d,]*\d{4,}", text)
)


def test_there_are_published_numbers_to_look_for() -> None:
    assert {"0.4972", "0.46861"} <= PUBLISHED


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_every_chapter_keeps_the_rules(path: Path) -> None:
    assert [str(finding) for finding in lint_chapter(path, PUBLISHED)] == []


STILL_WITHOUT_CONVENTION = {
    "32-chapelle2011-baselines": 1,
}
"""Tables and figures whose caption names NDCG without saying whose; it may only shrink."""


@pytest.mark.parametrize("path", [ROOT / "index.md", *CHAPTERS], ids=lambda p: p.stem)
def test_a_chapter_chooses_calls_and_shows_but_does_not_compute(path: Path) -> None:
    found = logic_of(path)
    assert found == []


@pytest.mark.parametrize("path", [ROOT / "index.md", *CHAPTERS], ids=lambda p: p.stem)
def test_a_caption_that_names_ndcg_says_whose(path: Path) -> None:
    found = without_convention(path)
    assert len(found) <= STILL_WITHOUT_CONVENTION.get(path.stem, 0), found


def test_every_chapter_is_in_the_table_of_contents() -> None:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    listed = [page for part in toc["parts"] for page in part["chapters"]]
    listed += [section for page in listed for section in page.get("sections", [])]
    there = {p.relative_to(ROOT).with_suffix("").as_posix() for p in (ROOT / "chapters").rglob("*.md")}
    assert {page["file"] for page in listed} == there


def test_a_good_chapter_passes(tmp_path: Path) -> None:
    page = tmp_path / "10-x.md"
    page.write_text(GOOD)
    assert lint_chapter(page) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("# A title", "Text", "no title"),
        ("language: python, ", "", "no kernelspec"),
        ('book.start("x")', "pass", "does not call book.start"),
        (":tags: [parameters]\n", "", "0 cells tagged parameters"),
        ("folds: int = 5", "folds = 5", "without a type"),
        ("  # how many", "", "without a comment"),
        ("`0.5` in code", "0.5 in prose", "bare decimal in prose: 0.5"),
        ("folds: int", "class A: pass\nfolds: int", "classes belong in ltrlib"),
        ("folds: int", "def f():\n" + "    x = 1\n" * 10 + "folds: int", "longer than 10 lines"),
        ("folds: int", "book.show_figure(f, name='fig-x-y', alt='z')\nfolds: int", "show_figure without caption"),
        ("folds: int", "x = 0.4972\nfolds: int", "published number in code: 0.4972"),
        ("folds: int", "x = '0.4972'\nfolds: int", "published number in code: '0.4972'"),
        ("folds: int", "plt.show()\nfolds: int", "show figures with book.show_figure"),
    ],
)
def test_each_broken_rule_is_found(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    page = tmp_path / "10-x.md"
    assert old in GOOD
    page.write_text(GOOD.replace(old, new))
    found = [str(finding) for finding in lint_chapter(page, frozenset({"0.4972"}))]
    assert any(complaint in text for text in found), found


def test_no_two_figures_or_tables_of_the_book_share_a_name() -> None:
    names = [name for path in CHAPTERS for name in re.findall(r'\bname="((?:fig|tab)-[^"{]+)"', path.read_text())]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
