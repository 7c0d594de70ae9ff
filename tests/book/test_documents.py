"""Protects the documents for contributors: what they say of the code is still true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import ltrlib
from ltrlib.book import architecture
from ltrlib.errors import UsageError
from ltrlib.project import ROOT

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
GUIDES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", *(str(path.relative_to(ROOT)) for path in DECISIONS)]
# Where files of the project are named in text, not made-up ones or those of the user.
PLACES = ("chapters/", "data/", "docs/", "ltrlib/", "tests/")


def test_the_generated_parts_of_the_architecture_are_up_to_date() -> None:
    text = architecture.PAGE.read_text(encoding="utf-8")
    assert re.findall(r"<!-- generated: (\S+) -->", text) == ["layers", "counts", "rooms", "rooms-across"]
    assert architecture.refresh(text) == text, "run make architecture"


def test_an_old_page_is_written_anew_and_a_new_one_is_left(tmp_path: Path) -> None:
    page = tmp_path / "PAGE.md"
    page.write_text("Before.\n<!-- generated: layers -->\nold\n<!-- end -->\nAfter.\n")
    assert architecture.update(page)
    assert page.read_text().startswith("Before.\n<!-- generated: layers -->\n```text\n")
    assert page.read_text().endswith("```\n<!-- end -->\nAfter.\n")
    assert not architecture.update(page)


def test_a_part_that_nothing_makes_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing makes the part"):
        architecture.refresh("<!-- generated: weather -->\n<!-- end -->")


def test_the_picture_shows_every_package_once() -> None:
    shown = [name for layer in architecture.layers() for name in layer]
    packages = {path.parent.name for path in (ROOT / "ltrlib").glob("*/__init__.py")}
    assert packages <= set(shown)
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("guide", GUIDES)
def test_every_file_that_a_guide_names_exists(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    named = [name for name in re.findall(r"`([\w./*-]+)`", text) if name.startswith(PLACES) and "…" not in name]
    links = [link for link in re.findall(r"\]\(([\w./-]+)\)", text) if not link.startswith("http")]
    lost = [name for name in named if not list(ROOT.glob(name.rstrip("/"))) and name not in NOT_HERE]
    assert lost + [link for link in links if not (ROOT / guide).parent.joinpath(link).exists()] == []


NOT_HERE = {"data/raw/", "data/coverage.json"}


def test_the_version_is_the_same_wherever_it_stands() -> None:
    newest = re.search(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert newest is not None
    assert newest[1] == ltrlib.__version__ == citation["version"]
    assert newest[2] == str(citation["date-released"])


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_is_short_and_has_its_three_parts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 25
    assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Context", "Decision", "Consequence"]
    assert text.startswith(f"# {int(path.name[:4])}. ")


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_the_book_builds_none_of_these_documents() -> None:
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert config["only_build_toc_files"]
    assert "docs" not in (ROOT / "_toc.yml").read_text(encoding="utf-8")
