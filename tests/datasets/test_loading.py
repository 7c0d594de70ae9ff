"""Data sets are found where the user says, loaded by name, and never silently replaced by something else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ltrlib.datasets
from ltrlib.datasets.loading import digest, find, is_here, load
from ltrlib.datasets.locate import find_or_none
from ltrlib.datasets.registry import names
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.records import observed
from tests.helpers.data import YAHOO, own_raw_folder, tar_bytes, write_files

CLUEWEB = {
    f"ClueWeb09-LTR/Fold{k}/{part}.txt": b"0 qid:%d 42:1\n" % k for k in range(1, 6) for part in ("train", "test")
}


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return own_raw_folder(monkeypatch, tmp_path / "project")


@pytest.mark.parametrize("name", names())
def test_a_missing_set_gets_the_exact_command(raw: Path, name: str) -> None:
    assert not is_here(name)
    assert digest(name) == "absent"
    with pytest.raises(MissingDataError, match=f"data set {name} is not on this machine") as error:
        find(name)
    assert f"ltrlib data get {name}" in str(error.value.cure)
    assert str(raw) in str(error.value)


def test_a_run_notes_what_it_looked_for_and_what_it_found(raw: Path) -> None:
    is_here("yahoo-set1")
    assert observed.dependencies()["dataset:yahoo-set1"] == "absent"
    write_files(raw / "Yahoo-Set1", YAHOO)
    assert observed.changed_dependencies({"dataset:yahoo-set1": "absent"}) == ["dataset:yahoo-set1"]
    load("yahoo-set1", "train")
    assert observed.dependencies()["dataset:yahoo-set1"] == digest("yahoo-set1") != "absent"


def test_the_path_list_comes_before_raw_and_its_order_counts(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [write_files(tmp_path / name / "ltrc_yahoo", YAHOO).parent for name in ("one", "two")]
    write_files(raw / "Yahoo-Set1", YAHOO)
    assert find("yahoo-set1").path == raw / "Yahoo-Set1"
    monkeypatch.setenv("LTRLIB_DATA", os.pathsep.join(["", str(tmp_path / "none"), *map(str, folders)]))
    assert find("yahoo-set1").path == folders[0] / "ltrc_yahoo"
    (folders[0] / "ltrc_yahoo" / "set1.test.txt").unlink()
    assert find("yahoo-set1").path == folders[1] / "ltrc_yahoo", "a complete copy is better than an earlier one"


@pytest.mark.parametrize("folder", ["LTRC_Yahoo", "yahoo-set1", "Yahoo-Set1/inner"])
def test_folder_names_may_differ_in_case_and_lie_one_level_deeper(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    write_files(tmp_path / "data" / folder, YAHOO)
    monkeypatch.setenv("LTRLIB_DATA", str(tmp_path / "data"))
    assert load("yahoo-set1", "valid").n_queries == 2


def test_the_path_list_may_name_the_folder_itself(raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTRLIB_DATA", str(write_files(tmp_path / "ltrc_yahoo", YAHOO)))
    assert is_here("yahoo-set2")


def test_of_an_incomplete_set_the_parts_that_are_there_can_be_used(raw: Path) -> None:
    """Many people keep only Fold 1 of MSLR."""
    row = b"0 qid:1 136:1\n"
    write_files(raw / "MSLR-WEB10K", {f"Fold1/{part}.txt": row for part in ("train", "vali", "test")})
    assert not is_here("mslr-web10k")
    assert load("mslr-web10k", "Fold1/test").n_docs == 1
    with pytest.raises(MissingDataError, match="not its part Fold2/train"):
        load("mslr-web10k", "Fold2/train")


def test_an_archive_is_read_as_it_is_and_has_the_digest_of_its_files(raw: Path, tmp_path: Path) -> None:
    write_files(raw, {"ClueWeb09-LTR.tar.xz": tar_bytes(CLUEWEB, "xz")})
    assert load("clueweb09-ltr", "Fold3/test").query_ids.tolist() == ["3"]
    assert os.listdir(raw) == ["ClueWeb09-LTR.tar.xz"]
    packed = digest("clueweb09-ltr")
    (raw / "ClueWeb09-LTR.tar.xz").unlink()
    assert digest("clueweb09-ltr") == "absent"
    write_files(raw, CLUEWEB)
    assert digest("clueweb09-ltr") == packed


def test_an_archive_of_something_else_is_told(raw: Path) -> None:
    write_files(raw, {"ClueWeb09-LTR.tar.xz": tar_bytes({"readme": b""}, "xz")})
    with pytest.raises(DataFormatError, match="does not hold clueweb09-ltr"):
        find("clueweb09-ltr")


def test_the_digest_follows_the_content(raw: Path) -> None:
    write_files(raw / "Yahoo-Set1", YAHOO)
    before, other = digest("yahoo-set1"), digest("yahoo-set2")
    assert other == "absent"
    path = raw / "Yahoo-Set1" / "set1.test.txt"
    path.write_bytes(path.read_bytes() + b"0 qid:9999 1:1\n")
    assert digest("yahoo-set1") != before


def test_a_bare_name_never_gives_a_standin(raw: Path) -> None:
    with pytest.raises(MissingDataError, match="or use standin/mq2008"):
        load("mq2008", "Fold1/train")
    with pytest.raises(UsageError, match="not a stand-in"):
        load("mq2008", "Fold1/train", scale=0.1)


def test_a_standin_is_loaded_by_its_full_name() -> None:
    data = load("standin/mq2008", "Fold1/train", scale=0.05)
    assert data.source.standin
    assert is_here("standin/mq2008")


def test_the_package_gives_the_function_even_after_its_module_was_imported() -> None:
    assert sys.modules["ltrlib.datasets.loading"]
    assert ltrlib.datasets.load is load
    with pytest.raises(AttributeError):
        _ = ltrlib.datasets.nothing


def test_the_package_itself_imports_nothing_heavy() -> None:
    """Chapters are run again when a module changes that they import; the package must not pull in all."""
    code = "import sys, ltrlib.datasets; print([m for m in sys.modules if m.startswith(('ltrlib.datasets.', 'numpy'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"[]"


@pytest.mark.realdata
def test_real_sets_load_by_name_when_they_are_here() -> None:
    here = [name for name in names() if (place := find_or_none(name)) and not place.missing]
    if not here:
        pytest.skip("no data set is on this machine")
    for name in here:
        place = find(name)
        part = next(iter(place.entry.parts.values()))
        data = load(name, part.name)
        assert (data.n_docs, data.n_queries) == (part.expected.rows, part.expected.queries)
        assert data.n_features == place.entry.features
