"""Protects the rooms that span papers: what pages read loads no ranker and starts no cluster."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ltrlib.project import ROOT

HEAVY = ("jax", "lightgbm", "sklearn.ensemble", "distributed")
TRAIN = ("runs", "methods", "make")


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
