"""Protects the rooms that span papers: each has its pages and its test, and showing it loads no ranker."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ltrlib.book.architecture import rooms_across
from ltrlib.claims.registry import claims
from ltrlib.project import ROOT, chapter_names

ROOMS = {room.address.removeprefix("across."): room for room in rooms_across()}
HEAVY = ("jax", "lightgbm", "sklearn.ensemble", "distributed")
TRAIN = ("runs", "methods", "make", "training")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_a_page_and_a_test(room: str) -> None:
    assert ROOMS[room].chapter != "–"
    assert ROOMS[room].test == f"test_{room}.py"


def test_the_page_of_a_claim_is_one_that_imports_its_room() -> None:
    found = [one for one in claims() if one.module.startswith("ltrlib.across.")]
    assert found
    for one in found:
        assert one.chapter in ROOMS[one.room].chapter.split(", "), one.id


def test_a_room_with_claims_of_a_paper_has_a_name_of_its_own() -> None:
    """Claims are asked for by paper and room, so a room across papers must not be called like one of the paper's."""
    for path in (ROOT / "ltrlib" / "across").glob("*/claims_*.py"):
        paper = path.stem.removeprefix("claims_")
        assert (ROOT / "ltrlib" / "papers" / paper).is_dir(), path
        assert path.parent.name not in chapter_names(paper)
        assert {one.id.partition(".")[0] for one in claims(paper, path.parent.name)} == {paper}


@pytest.mark.parametrize("room", ROOMS)
def test_showing_a_room_loads_no_ranker(room: str) -> None:
    folder = ROOT / "ltrlib" / "across" / room
    shown = sorted(path.stem for path in folder.glob("[a-z]*.py") if path.stem not in TRAIN)
    code = "import sys\n" + "".join(f"import ltrlib.across.{room}.{name}\n" for name in shown)
    code += f"print([name for name in sys.modules if name in {HEAVY!r} or name.startswith('ltrlib.rankers.')])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
