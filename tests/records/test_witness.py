"""Protects the stamps of records: each is the fingerprint of the code at the commit that wrote the record.

A stamp that was edited by hand would not be found in the sources of that commit.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ltrlib.project import ROOT
from ltrlib.records.definitions import ReadSource, find_code

RESULTS = ROOT / "data" / "results"
NAMES = sorted(
    str(path.relative_to(RESULTS)).removesuffix(".provenance.json") for path in RESULTS.rglob("*.provenance.json")
)


def git(*arguments: str) -> str | None:
    run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else None


@cache
def sources_at(commit: str) -> ReadSource:
    @cache
    def read(module: str) -> str | None:
        return git("show", f"{commit}:{module.replace('.', '/')}.py")

    return read


def provenance(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.provenance.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_stamp_is_the_fingerprint_of_the_code_that_wrote_the_record(name: str) -> None:
    path = Path("data") / "results" / f"{name}.provenance.json"
    commits = (git("log", "--format=%H", "--", str(path)) or "").split()
    if not commits or git("status", "--porcelain", "--", str(path)):
        pytest.skip("no history, or not committed yet")
    code = provenance(name)["code"]
    assert find_code(*code["maker"], read=sources_at(commits[0])).fingerprint == code["fingerprint"]
