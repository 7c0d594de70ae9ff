"""Protects the book's own directives: letters instead of numbers, references by them, and the data as files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = {
    "index": """# First

```{toctree}
other
```

{numref}`tab-x-ours` and {numref}`tab-x-theirs`, {numref}`fig-x-drawn`; elsewhere {numref}`fig-y-drawn`.

```{table} What we have.
:name: tab-x-ours

| a |
|:--|
| 1 |
```

````{book-foot} tab-x-ours
:marks: <span class="chip">NDCG@10 · RankLib</span>

a
1
````

```{table} Table 1 of the paper, rerun.
:name: tab-x-theirs

| a |
|:--|
| 1 |
```

````{book-figure}
:name: fig-x-drawn
:caption: A *drawing*.
<svg></svg>
````
""",
    "other": """# Second

````{book-figure}
:name: fig-y-drawn
:caption: Figure 2 of the paper, rerun.
<svg></svg>
````
""",
}
CONFIG = """
extensions = ["myst_parser", "ltrlib.book.directives"]
numfig = True  # as jupyter-book sets it
nitpicky = True
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sphinx.cmd.build import build_main

    folder = tmp_path_factory.mktemp("book")
    (folder / "conf.py").write_text(CONFIG)
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text)
    assert build_main(["-q", "-W", "--keep-going", str(folder), str(folder / "html")]) == 0
    return folder / "html"


def test_ours_have_letters_and_the_papers_keep_their_names(built: Path) -> None:
    page = re.sub(r"<[^>]*>", "", (built / "index.html").read_text())
    assert "Table A. What we have." in page
    assert "Figure A. A drawing." in page
    assert "Table 1 of the paper, rerun." in page
    assert "Table B" not in page
    assert "Fig. 1" not in page
    assert "Table A and Table 1 of the paper, Figure A; elsewhere Figure 2 of the paper of “Second”." in page


def test_references_lead_to_their_places(built: Path) -> None:
    page = (built / "index.html").read_text()
    assert 'href="#tab-x-ours">Table A</a>' in page
    assert 'href="other.html#fig-y-drawn"' in page


def test_the_data_of_a_table_is_a_file_and_its_marks_stand_below(built: Path) -> None:
    page = (built / "index.html").read_text()
    assert '<span class="chip">NDCG@10 · RankLib</span>' in page
    assert 'href="_data/tab-x-ours.csv"' in page
    assert (built / "_data" / "tab-x-ours.csv").read_text() == "a\n1\n"
