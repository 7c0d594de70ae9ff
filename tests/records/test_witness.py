"""Protects the stamps of records: each is the fingerprint of the code at the commit that wrote the record.

A stamp that was edited by hand would not be found in the sources of that commit.
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from functools import cache
from typing import Any

import pytest

from ltrlib.project import ROOT
from ltrlib.records.definitions import ReadSource, find_code

LAZY = """
if TYPE_CHECKING:
    from ltrlib.published.printed import Printed
    from ltrlib.published.tables import PAPERS, Paper, Table, load_paper, load_table
"""
RESULTS = ROOT / "data" / "results"
NAMES = sorted(
    str(path.relative_to(RESULTS)).removesuffix(".provenance.json") for path in RESULTS.rglob("*.provenance.json")
)


def git(*arguments: str) -> bytes:
    run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True)
    return run.stdout if run.returncode == 0 else b""


@cache
def sources_at(commit: str) -> ReadSource:
    """Read modules as they were at a commit."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit, "ltrlib"))) as archive:
        files = {
            member.name.removesuffix(".py").replace("/", "."): file.read().decode()
            for member in archive
            if member.name.endswith(".py") and (file := archive.extractfile(member)) is not None
        }
    package = "ltrlib.published.__init__"
    if "TYPE_CHECKING" not in files[package]:
        # In its first versions this package named what it loads on first use in a dictionary only.
        files[package] += LAZY
    return files.get


def provenance(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.provenance.json").read_text(encoding="utf-8"))
    return found


def wrote(name: str, date: str) -> str | None:
    """The commit in which a date of the record, that of its making or of its repetition, first appears."""
    path = f"data/results/{name}.provenance.json"
    if git("status", "--porcelain", "--", path):
        return None
    commits = git("log", "--format=%H", f"-S{date}", "--", path).decode().split()
    return commits[-1] if commits else None


@pytest.mark.parametrize("name", NAMES)
def test_a_stamp_is_the_fingerprint_of_the_code_that_wrote_the_record(name: str) -> None:
    noted = provenance(name)
    commit = wrote(name, noted["made"])
    if commit is None:
        pytest.skip("no history, or not committed yet")
    code = noted["code"]
    assert find_code(*code["maker"], read=sources_at(commit)).fingerprint == code["fingerprint"]
    if proof := noted.get("repeated"):
        commit = wrote(name, proof["on"])
        assert commit is not None
        assert find_code(*code["maker"], read=sources_at(commit)).fingerprint == proof["code"]["fingerprint"]
