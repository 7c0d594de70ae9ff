"""Protects the wheel: from an empty folder, in a new environment, every command that promises to work does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from ltrlib.project import ROOT
from tests.helpers.sweeps import CHAPTER

pytestmark = pytest.mark.slow
SOURCES = ("ltrlib", "data", "pyproject.toml", "setup.py", "README.md", "LICENSE")


def build(folder: Path, what: str) -> Path:
    """Build from a copy of the sources, so that the checkout stays as it is."""
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "raw"))
        else:
            shutil.copy(ROOT / name, source / name)
    (source / "data" / "raw").mkdir(exist_ok=True)
    (source / "data" / "raw" / "licensed.txt").write_text("not to be passed on")
    code = f"from setuptools.build_meta import *; print({what}('..'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("build"), "build_wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel, and the other packages of this one."""
    place = tmp_path_factory.mktemp("new")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "venv"], check=True)
    python = place / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*map(str, pip), "--disable-pip-version-check", str(wheel)], check=True)
    packages = place / "venv" / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    # A plain line: what is editable there is not followed.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    (place / "empty").mkdir()
    return place


def run(place: Path, *arguments: str | Path, code: int = 0) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LTRLIB_DATA")}
    environment |= {"XDG_DATA_HOME": str(place / "user"), "XDG_CACHE_HOME": str(place / "cache")}
    done = subprocess.run(
        [place / "venv" / "bin" / "ltrlib", *arguments],
        cwd=place / "empty",
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_wheel_carries_what_the_commands_read_and_no_data_sets(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    committed = subprocess.run(["git", "ls-files", "data"], cwd=ROOT, capture_output=True, text=True, check=False)
    missing = [name for name in committed.stdout.splitlines() if f"ltrlib/_{name}" not in names]
    assert not missing
    assert not [name for name in names if "raw" in name.split("/")]
    assert all(name.startswith(("ltrlib/", "ltrlib-")) for name in names)


def test_every_command_that_promises_to_work_does(installed: Path) -> None:
    empty = installed / "empty"
    (empty / "t.txt").write_text("2 qid:1 1:1\n0 qid:1 1:1\n1 qid:2 1:2\n0 qid:2 1:2\n")
    (empty / "s.txt").write_text("1\n2\n3\n1\n")
    assert "0.8155" in run(installed, "eval", "--data", "t.txt", "--scores", "s.txt")
    assert str(installed / "user" / "ltrlib" / "raw") in run(installed, "data", "check", "mq2008", code=2)
    assert "MIT" in run(installed, "data", "list")
    shown = run(installed, "data", "show", "mq2008")
    assert "784" in shown
    assert str(installed / "user" / "ltrlib" / "raw") in shown
    examples = next((installed / "venv").rglob("_data/examples"))
    shutil.copy(examples / "my-method.csv", empty)
    shutil.copy(examples / "results.csv", empty)
    assert "nwn" in run(installed, "meta", "results.csv")
    assert run(installed, "compare", "my-method.csv", "--output", "page.html")
    assert (empty / "page.html").stat().st_size > 100_000
    assert "exact" in run(installed, "claims", "--paper", "busafekete2012")
    assert "FAIL" not in run(installed, "doctor")
    ranking = ("--data", "t.txt", "--scores", "s.txt")
    assert "sum" in run(installed, "explain", *ranking, "--between", "lightgbm", "sklearn", "--output", "why.html")
    assert (empty / "why.html").read_text().startswith("<!doctype html>")
    assert "candidates give it" in run(installed, "identify", *ranking, "--value", "0.8155")
    methods = ("--method", "A", "s.txt", "--method", "B", "s.txt")
    assert "undecided" in run(installed, "versus", "--data", "t.txt", *methods)
    assert "MSLR-WEB10K" in run(installed, "results", "list")
    (empty / "points.csv").write_text("x,y\n1,2\n2,1\n3,5\n4,4\n")
    assert "center" in run(installed, "bagplot", "points.csv", "--format", "json")
    # RankLib's own form of a linear model.
    (empty / "model.txt").write_text("## Coordinate Ascent\n1:0.5\n")
    assert run(installed, "model", "score", "model.txt", "--data", "t.txt") == "0.5\n0.5\n1.0\n1.0\n"


def test_a_sweep_of_a_notebook_of_ones_own_works_where_the_user_is(installed: Path) -> None:
    folder = installed / "empty" / "own"
    folder.mkdir()
    (folder / "squares.md").write_text(CHAPTER)
    (folder / "mine.yml").write_text("chapter: squares.md\ngrid: {number: [2, 3]}\n")
    assert "2 done" in run(installed, "sweep", "own/mine.yml", "--workers", "1")
    table = (installed / "empty" / "runs" / "mine" / "table.csv").read_text()
    assert "squares.square,4.0" in table
    assert "squares.square,9.0" in table
    for name in ("mine", "own/mine.yml"):
        assert "squares.square" in run(installed, "sweep", "show", name)
    assert "nosuch: no sweep of this name was run here" in run(installed, "sweep", "show", "nosuch", code=2)
    assert "nosuch.yml: there is no such file" in run(installed, "sweep", "nosuch.yml", code=2)


def test_commands_that_need_the_repository_say_so(installed: Path) -> None:
    commands = (
        ["sweep", "--list"],
        ["sweep", "conventions"],
        ["record", "--list"],
        ["rerun", "20"],
        ["claims", "changes"],
    )
    for arguments in commands:
        assert "needs the book's repository" in run(installed, *arguments, code=2)


def test_nothing_is_written_beside_the_installed_package(installed: Path) -> None:
    packages = next((installed / "venv" / "lib").glob("python*")) / "site-packages"
    assert not {"data", "runs", "chapters"} & {path.name for path in packages.iterdir()}


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = build(tmp_path, "build_sdist")
    shutil.unpack_archive(sdist, tmp_path / "unpacked", filter="data")
    source = next((tmp_path / "unpacked").iterdir())
    code = "from setuptools.build_meta import *; print(build_wheel('..'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False)
    again = source.parent / done.stdout.splitlines()[-1]
    assert sorted(zipfile.ZipFile(again).namelist()) == sorted(zipfile.ZipFile(wheel).namelist())
