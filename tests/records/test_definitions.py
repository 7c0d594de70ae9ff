"""Protects the fingerprint of a result's code: it sees every change that can change a number, and no other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ltrlib.errors import RecordError
from ltrlib.project import ROOT
from ltrlib.records.definitions import changes, find_code

BEFORE = {
    "ltrlib.a": """
from ltrlib.b import g, LIMIT
import numpy as np
from ltrlib.errors import UsageError
UNUSED = 1

def f(x: int, times: int = 2) -> float:
    '''Say something.'''
    if x > LIMIT:
        raise UsageError(f"{x} is too large", cure="take less")
    return np.sqrt(g(x) * times)
""",
    "ltrlib.b": """
LIMIT = 9

def _half(x):
    return x / 2

def g(x):
    return _half(x) + 1

def unused(x):
    return x
""",
}


def fingerprint(sources: dict[str, str], root: str = "ltrlib.a:f") -> str:
    return find_code(root, read=sources.get).fingerprint


def edited(module: str, old: str, new: str) -> dict[str, str]:
    assert old in BEFORE[module]
    return BEFORE | {module: BEFORE[module].replace(old, new)}


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("ltrlib.a", "Say something.", "Say it better."),
        ("ltrlib.a", "x: int, times: int = 2", "x, times=2"),
        ("ltrlib.a", "is too large", "is far too large"),
        ("ltrlib.a", "UNUSED = 1", "UNUSED = 2"),
        ("ltrlib.b", "def unused(x):\n    return x", ""),
        ("ltrlib.b", "return _half(x) + 1", "return (\n        _half(x)\n        + 1\n    )"),
    ],
    ids=["docstring", "type hint", "wording of an error", "unused constant", "unused function", "layout"],
)
def test_what_cannot_change_a_number_leaves_the_fingerprint(module: str, old: str, new: str) -> None:
    assert fingerprint(edited(module, old, new)) == fingerprint(BEFORE)


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("ltrlib.a", "times: int = 2", "times: int = 3"),
        ("ltrlib.a", "np.sqrt", "np.cbrt"),
        ("ltrlib.b", "LIMIT = 9", "LIMIT = 8"),
        ("ltrlib.b", "return x / 2", "return x / 3"),
        ("ltrlib.b", "return _half(x) + 1", "return unused(x) + 1"),
        ("ltrlib.b", "LIMIT = 9", "LIMIT = 9\nimport numpy\nnumpy.seterr(all='ignore')"),
    ],
    ids=["default", "outside function", "constant", "body two calls away", "another callee", "effect of an import"],
)
def test_what_can_change_a_number_changes_the_fingerprint(module: str, old: str, new: str) -> None:
    assert fingerprint(edited(module, old, new)) != fingerprint(BEFORE)


def test_a_move_and_new_names_leave_the_fingerprint() -> None:
    moved = {
        "ltrlib.rooms.one": BEFORE["ltrlib.a"]
        .replace("ltrlib.b import g, LIMIT", "ltrlib.rooms.two import h as g, MOST")
        .replace("LIMIT", "MOST")
        .replace("def f(", "def found("),
        "ltrlib.rooms.two": "from ltrlib.rooms.three import half\nMOST = 9\ndef h(x):\n    return half(x) + 1\n",
        "ltrlib.rooms.three": "def half(x):\n    return x / 2\n",
    }
    assert fingerprint(moved, "ltrlib.rooms.one:found") == fingerprint(BEFORE)


def test_functions_that_change_places_are_told_apart() -> None:
    swapped = BEFORE | {"ltrlib.b": BEFORE["ltrlib.b"].replace("_half(x) + 1", "_half(_double(x))") + "\n"}
    swapped["ltrlib.b"] += "def _double(x):\n    return x * 2\n"
    other = swapped | {"ltrlib.b": swapped["ltrlib.b"].replace("_half(_double(x))", "_double(_half(x))")}
    assert fingerprint(swapped) != fingerprint(other)


@pytest.mark.parametrize("loads", ["def __getattr__(name):\n    ...", "__getattr__ = lazy_names(__name__, HOMES)"])
def test_names_that_a_package_loads_on_first_use_are_followed(loads: str) -> None:
    lazy = f"""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from ltrlib.b import g
{loads}
"""
    sources = BEFORE | {"ltrlib.__init__": "", "ltrlib.pack.__init__": lazy}
    sources["ltrlib.c"] = "from ltrlib import pack\ndef f(x):\n    return pack.g(x)"
    assert "g" in find_code("ltrlib.c:f", read=sources.get).definitions["ltrlib.b"]
    anything = sources | {"ltrlib.c": "from ltrlib import pack\ndef f(x):\n    return pack.__getattr__(x)"}
    assert "g" in find_code("ltrlib.c:f", read=anything.get).definitions["ltrlib.b"]


def test_imports_inside_a_function_count() -> None:
    sources = BEFORE | {"ltrlib.c": "def f(x):\n    from ltrlib.b import g\n    return g(x)"}
    assert find_code("ltrlib.c:f", read=sources.get).definitions.keys() == {"ltrlib.b", "ltrlib.c"}


def test_a_name_that_cannot_be_followed_is_an_error_not_a_gap() -> None:
    sources = BEFORE | {"ltrlib.c": "from ltrlib.b import nothing\ndef f(x):\n    return nothing(x)"}
    with pytest.raises(RecordError, match="cannot tell what nothing"):
        find_code("ltrlib.c:f", read=sources.get)


def test_a_change_is_named() -> None:
    before = find_code("ltrlib.a:f", read=BEFORE.get).definitions
    after = find_code("ltrlib.a:f", read=edited("ltrlib.b", "x / 2", "x / 3").get).definitions
    assert changes(before, after) == ["ltrlib.b._half"]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_fingerprint_is_the_same_on_every_version_of_python(version: str) -> None:
    own = (str(path) for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    python = next(own, None) or shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "--version"], capture_output=True).returncode:
        pytest.skip(f"no Python {version} on this machine")
    code = "from ltrlib.records.definitions import find_code; print(find_code('ltrlib.metrics.engine').fingerprint)"
    run = subprocess.run([python, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == find_code("ltrlib.metrics.engine").fingerprint
