"""Protects the rooms: one address for chapter, folder, claims and test; the same furniture; light where pages read."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ltrlib.project import ROOT, chapter_names

PAPERS = ROOT / "ltrlib" / "papers"
ROOMS = sorted(f"{room.parent.name}.{room.name}" for room in PAPERS.glob("*/*/") if (room / "__init__.py").exists())
HEAVY = ("jax", "lightgbm", "sklearn.ensemble", "torch", "distributed", "ortools")
SHOWN = ("records", "tables", "figures", "claims")


def folder(room: str) -> Path:
    return PAPERS.joinpath(*room.split("."))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_its_chapter_and_its_test(room: str) -> None:
    paper, name = room.split(".")
    assert name in chapter_names(paper)
    assert (ROOT / "tests" / "papers" / f"test_{paper}_{name}.py").exists()


def test_every_chapter_of_a_paper_has_its_room() -> None:
    rooms = {f"{paper.name}.{name}" for paper in PAPERS.glob("*/") for name in chapter_names(paper.name)}
    assert rooms == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_showing_a_room_loads_no_ranker(room: str) -> None:
    shown = sorted(p.stem for p in folder(room).glob("*.py") if p.stem.startswith(SHOWN))
    code = "import sys\n" + "".join(f"import ltrlib.papers.{room}.{name}\n" for name in shown)
    code += f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    code += "print([name for name in sys.modules if name.startswith('ltrlib.rankers.')])\n"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == ["[]", "[]"]


@pytest.mark.parametrize("room", ROOMS)
def test_only_runs_and_what_they_call_may_train(room: str) -> None:
    for path in folder(room).glob("*.py"):
        if path.stem.startswith(SHOWN):
            imported = set(imports_of(ast.parse(path.read_text(encoding="utf-8"))))
            assert not [name for name in imported if name.startswith("ltrlib.rankers")], path.name
            assert f"ltrlib.papers.{room}.runs" not in imported, path.name


def imports_of(node: ast.AST) -> Iterator[str]:
    """Modules that are imported when the code runs, inside functions too."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.ImportFrom) and child.module:
            yield child.module
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        yield from imports_of(child)
