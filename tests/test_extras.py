"""Protects the light core: it works without the extras, and what needs one says in one line which."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ltrlib.extras import EXTRAS
from ltrlib.project import ROOT, project_data

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EVERYTHING = [module for modules in EXTRAS.values() for module in modules]
BLOCK = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in set(sys.argv[1].split(",")):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""


def without(modules: list[str], code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code where some modules cannot be imported."""
    command = [sys.executable, "-c", BLOCK + code, ",".join(modules), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def command(modules: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return without(modules, "from ltrlib.cli import main; sys.exit(main(sys.argv[2:]))", *arguments)


def requirements(extra: str) -> list[str]:
    wanted: list[str] = []
    for line in PYPROJECT["optional-dependencies"][extra]:
        if line.startswith("ltrlib["):
            inner = line.removeprefix("ltrlib[").removesuffix("]").split(",")
            wanted += [one for name in inner for one in requirements(name)]
        else:
            wanted.append(line)
    return wanted


def test_every_module_is_brought_by_the_extra_that_the_error_names() -> None:
    owners = metadata.packages_distributions()
    for extra, modules in EXTRAS.items():
        names = " ".join(requirements(extra)).lower().replace("_", "-")
        brought = [module for module in modules if any(name.lower() in names for name in owners[module])]
        # The others come with one of these: docutils with Sphinx, jaxlib with JAX.
        assert {
            "jaxlib",
            "nbformat",
            "nbclient",
            "IPython",
            "docutils",
            "jupyter_cache",
            "myst_parser",
            "pybtex",
        } >= set(modules) - set(brought)


def brought_by(lines: list[str]) -> set[str]:
    """Distributions that some requirements bring, with all that those require."""
    found: set[str] = set()
    queue = [(Requirement(line), "") for line in lines]
    while queue:
        wanted, extra = queue.pop()
        name = canonicalize_name(wanted.name)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
            continue
        if name not in found or wanted.extras:
            found.add(name)
            for line in metadata.requires(name) or []:
                queue += [(Requirement(line), extra) for extra in ("", *wanted.extras)]
    return found


def modules_outside(*extras: str) -> list[str]:
    """Modules of this environment that the core and these extras do not bring."""
    wanted = brought_by(PYPROJECT["dependencies"] + [line for extra in extras for line in requirements(extra)])
    owners = metadata.packages_distributions()
    return [
        module
        for module, names in owners.items()
        if module != "ltrlib" and not wanted & {canonicalize_name(name) for name in names}
    ]


def test_what_no_extra_brings_is_told_apart_from_what_one_does() -> None:
    outside = modules_outside("compare")
    assert {"sklearn", "jax", "dask", "papermill"} <= set(outside)
    assert not {"pandas", "pyarrow", "numpy", "numba", "yaml", "dateutil"} & set(outside)


@pytest.mark.parametrize(
    "arguments",
    [
        ["meta", str(project_data("examples", "results.csv"))],
        ["compare", str(project_data("examples", "my-method.csv"))],
        ["results", "list"],
        ["claims", "--paper", "busafekete2012"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_extra_for_comparing_brings_all_that_its_commands_need(arguments: list[str]) -> None:
    done = command(modules_outside("compare"), *arguments)
    assert done.returncode == 0, done.stderr


def test_the_package_pins_nothing_exactly() -> None:
    groups = [PYPROJECT["dependencies"], *PYPROJECT["optional-dependencies"].values()]
    assert not [line for lines in groups for line in lines if "==" in line]


@pytest.fixture
def small(tmp_path: Path) -> list[str]:
    (tmp_path / "t.txt").write_text("2 qid:1 1:1\n0 qid:1 1:1\n1 qid:2 1:2\n0 qid:2 1:2\n")
    (tmp_path / "s.txt").write_text("1\n2\n3\n1\n")
    (tmp_path / "z.txt").write_text("1\n2\n2\n1\n")
    return [str(tmp_path / name) for name in ("t.txt", "s.txt", "z.txt")]


def test_the_core_scores_one_file_and_knows_the_data_sets(small: list[str]) -> None:
    done = command(EVERYTHING, "eval", "--data", small[0], "--scores", small[1], "--tool", "all")
    assert done.returncode == 0, done.stderr
    assert "0.8155" in done.stdout
    for action in (["list"], ["show", "mq2008"], ["get", "mslr-web10k"]):
        done = command(EVERYTHING, "data", *action)
        assert "MSLR-WEB10K" in done.stdout or "MQ2008" in done.stdout or "mq2008" in done.stdout, done.stderr
        assert "Traceback" not in done.stderr
    assert command(EVERYTHING, "doctor").stdout.count('pip install "ltrlib[') == len(EXTRAS)


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("compare", ["meta", str(project_data("examples", "results.csv"))]),
        ("compare", ["compare", str(project_data("examples", "my-method.csv"))]),
        ("compare", ["claims", "--paper", "tax2015"]),
        ("sweeps", ["sweep", "conventions", "--dry-run"]),
    ],
)
def test_a_command_that_needs_an_extra_names_it_in_one_line(extra: str, arguments: list[str]) -> None:
    done = command(list(EXTRAS[extra]), *arguments)
    assert done.returncode == 2
    assert done.stderr.endswith(f'which is not installed\n  to do: pip install "ltrlib[{extra}]"\n')
    assert "Traceback" not in done.stderr


def test_comparing_score_files_names_what_the_tests_need(small: list[str]) -> None:
    done = command(["scipy"], "eval", "--data", small[0], "--scores", small[1], small[2])
    assert done.returncode == 2
    assert 'pip install "ltrlib[compare]"' in done.stderr


FIT = """
import numpy as np
from ltrlib import rankers
from ltrlib.datasets.container import RankingData, Source
train = RankingData(np.eye(4, dtype=np.float32), np.array([1, 0, 1, 0], np.int32), np.array([0, 2, 4]),
                    np.array(["a", "b"]), None, Source("example"))
try:
    getattr(rankers, sys.argv[2])().fit(train)
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("ranker", "extra"),
    [("LambdaMART", "rankers"), ("RandomForest", "rankers"), ("RankNet", "neural"), ("DirectRanker", "neural")],
)
def test_a_ranker_that_needs_an_extra_names_it(ranker: str, extra: str) -> None:
    done = without(list(EXTRAS[extra]), FIT, ranker)
    assert done.stdout.endswith(f'to do: pip install "ltrlib[{extra}]"\n'), done.stderr
