"""Protects the rooms that span papers: what pages read loads no ranker and starts no cluster."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ltrlib.claims.registry import claims
from ltrlib.project import ROOT, chapter_names

HEAVY = ("jax", "lightgbm", "sklearn.ensemble", "distributed")
TRAIN = ("runs", "methods", "make")


def test_a_room_with_claims_of_a_paper_has_a_name_of_its_own() -> None:
    """Claims are asked for by paper and room, so a room across papers must not be called like one of the paper's."""
    for path in (ROOT / "ltrlib" / "across").glob("*/claims_*.py"):
        paper = path.stem.removeprefix("claims_")
        assert (ROOT / "ltrlib" / "papers" / paper).is_dir(), path
        assert path.parent.name not in chapter_names(paper)
        assert {one.id.partition(".")[0] for one in claims(paper, path.parent.name)} == {paper}


@pytest.mark.parametrize(
    "room", ["continued", "conventions", "explaining", "our_runs", "rerun", "standing", "standins"]
)
def test_showing_a_room_loads_no_ranker(room: str) -> None:
    folder = ROOT / "ltrlib" / "across" / room
    shown = sorted(path.stem for path in folder.glob("[a-z]*.py") if path.stem not in TRAIN)
    code = "import sys\n" + "".join(f"import ltrlib.across.{room}.{name}\n" for name in shown)
    code += f"print([name for name in sys.modules if name in {HEAVY!r} or name.startswith('ltrlib.rankers.')])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
