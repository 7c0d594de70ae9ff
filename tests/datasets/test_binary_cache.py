"""The cache gives what reading gives, never an outdated or damaged entry, and its absence breaks nothing."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ltrlib.datasets import array_folder, checksum
from ltrlib.datasets.binary_cache import open_cached
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.container import RankingData
from ltrlib.datasets.letor import columns
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.project import cache_dir

TEXT = "2 qid:10 1:0.5 3:-1 #docid = D1\n0 qid:10 2:0.25 #docid = D2\n1 qid:x 1:7 #docid = D3\n"
SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTRLIB_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "train.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file count as unchanged for long."""
    monkeypatch.setattr(checksum, "_SETTLED_AFTER_NS", -1)


@pytest.fixture
def no_reading(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on, neither hashing nor parsing is allowed."""

    def forbid(*_: Any, **__: Any) -> Any:
        raise AssertionError("the file was read again")

    def forbid_all() -> None:
        monkeypatch.setattr(checksum, "compute_sha256", forbid)
        monkeypatch.setattr("ltrlib.datasets.letor.convert_into", forbid)
        monkeypatch.setattr("ltrlib.datasets.letor.read_letor", forbid)

    return forbid_all


def assert_is_text(data: RankingData) -> None:
    assert data.features.tolist() == [[0.5, 0, -1], [0, 0.25, 0], [7, 0, 0]]
    assert data.labels.tolist() == [2, 0, 1]
    assert data.query_ids.tolist() == ["10", "x"]
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.doc_ids is not None
    assert data.doc_ids.tolist() == ["D1", "D2", "D3"]


def entries() -> list[Path]:
    return sorted((cache_dir() / "datasets").iterdir())


def test_second_open_reads_nothing(path: Path, settled: None, no_reading: Callable[[], None]) -> None:
    first = open_cached(path, name="mine")
    assert_is_text(first)
    assert [entry.name for entry in entries()] == [file_sha256(path)]
    no_reading()
    second = open_cached(path, name="mine")
    assert_is_text(second)
    assert second.source == first.source
    assert second.source.name == "mine"
    assert second.source.sha256 == file_sha256(path)
    assert not second.features.flags.writeable
    assert type(second.features) is np.ndarray


def test_same_content_under_another_name_shares_the_entry(path: Path, settled: None) -> None:
    open_cached(path)
    other = path.with_name("other.txt")
    other.write_text(TEXT)
    assert open_cached(other).source.name == str(other)
    assert len(entries()) == 1


def test_options_have_entries_of_their_own(path: Path) -> None:
    assert open_cached(path, n_features=5).n_features == 5
    assert open_cached(path, keep_comments=False).comments is None
    assert_is_text(open_cached(path))
    assert open_cached(path, n_features=5).n_features == 5
    assert len(entries()) == 3
    with pytest.raises(DataFormatError, match="features are declared"):
        open_cached(path, n_features=2)
    assert len(entries()) == 3, "a failed conversion leaves nothing behind"


def test_changed_file_is_read_again(path: Path, settled: None) -> None:
    """Even when its size and the time of its last change are those of before."""
    open_cached(path)
    before = path.stat()
    path.write_text(TEXT.replace("1:7", "1:8"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert open_cached(path).features[2, 0] == 8


def _cut(entry: Path) -> None:
    file = entry / "features.npy"
    file.write_bytes(file.read_bytes()[:-4])


def _flip(entry: Path) -> None:
    """One byte changed, size and time of last change kept."""
    file = entry / "features.npy"
    before, content = file.stat(), bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _other_layout(entry: Path) -> None:
    file = entry / "contents.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"layout": array_folder.LAYOUT + 1}))


def _not_json(entry: Path) -> None:
    (entry / "contents.json").write_text("{")


def _not_a_table(entry: Path) -> None:
    (entry / "contents.json").write_text("[1]")


def _missing_array(entry: Path) -> None:
    (entry / "labels.npy").unlink()


def _missing_contents(entry: Path) -> None:
    (entry / "contents.json").unlink()


def _pickled_array(entry: Path) -> None:
    np.save(entry / "labels.npy", np.array([{}], object), allow_pickle=True)
    _forge(entry, "labels")


def _wrong_shape(entry: Path) -> None:
    np.save(entry / "labels.npy", np.zeros(2, np.int32))
    _forge(entry, "labels")


def _forge(entry: Path, name: str) -> None:
    """Make the table of contents fit a wrong array."""
    file = entry / "contents.json"
    contents = json.loads(file.read_text())
    contents["arrays"][name]["sha256"] = file_sha256(entry / f"{name}.npy")
    file.write_text(json.dumps(contents))


def _empty(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.mkdir()


def _a_file(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.write_text("x")


DAMAGES = [
    *(_cut, _flip, _other_layout, _not_json, _not_a_table, _missing_array, _missing_contents, _pickled_array),
    *(_wrong_shape, _empty, _a_file),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_entries_are_made_again(
    path: Path, settled: None, no_reading: Callable[[], None], damage: Callable[[Path], None]
) -> None:
    open_cached(path)
    (entry,) = entries()
    damage(entry)
    assert_is_text(open_cached(path))
    assert [left.name for left in entries() if left.is_dir()] == [entry.name]
    no_reading()
    assert_is_text(open_cached(path))


def test_copied_entry_is_compared_by_content(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another inode and other times, but the same bytes: good."""
    open_cached(path)
    shutil.copytree(cache_dir() / "datasets", tmp_path / "copy" / "datasets")
    monkeypatch.setenv("LTRLIB_CACHE", str(tmp_path / "copy"))
    monkeypatch.setattr("ltrlib.datasets.letor.convert_into", None)
    assert_is_text(open_cached(path))


def test_open_maps_survive_a_replaced_entry(path: Path, settled: None) -> None:
    data = open_cached(path)
    _other_layout(entries()[0])
    assert_is_text(open_cached(path))
    assert_is_text(data)


def test_cache_that_cannot_be_written(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").write_text("x")
    monkeypatch.setenv("LTRLIB_CACHE", str(tmp_path / "a file" / "cache"))
    data = open_cached(path)
    assert_is_text(data)
    assert data.source.sha256 == file_sha256(path)


def test_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(columns.FileColumn, "write", no_space)
    assert_is_text(open_cached(path))
    assert entries() == []


def test_file_that_changes_while_it_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was parsed must be what was hashed, or the entry would be wrong forever."""
    from ltrlib.datasets import letor

    convert = letor.convert_into

    def convert_and_change(*arguments: Any) -> None:
        convert(*arguments)
        path.write_text(TEXT + "0 qid:y 1:1\n")

    monkeypatch.setattr(letor, "convert_into", convert_and_change)
    with pytest.raises(DataFormatError, match="changed while it was read"):
        open_cached(path)
    assert entries() == []


def _open_in_process(path: Path) -> float:
    return float(open_cached(path).features.sum())


def test_processes_side_by_side(path: Path) -> None:
    """All start with an empty cache, all get the right data, one entry remains."""
    open_cached(path)
    # Not forked: other tests of this process may have started threads. The first round warms the processes up.
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        for _ in range(5):
            shutil.rmtree(cache_dir())
            assert pool.map(_open_in_process, [path] * 8, chunksize=1) == [6.75] * 8
            assert [entry.name for entry in entries()] == [file_sha256(path)]
    assert_is_text(open_cached(path))


def test_forgotten_remains_are_removed(path: Path) -> None:
    folder = cache_dir() / "datasets"
    old, new = (folder / f".x.unfinished-{age}" for age in ("old", "new"))
    for remains in (old, new):
        remains.mkdir(parents=True)
    os.utime(old, (time.time() - 2 * 24 * 3600,) * 2)
    open_cached(path)
    assert not old.exists()
    assert new.exists(), "may belong to a process that is at work"


def test_bad_files_are_told_by_the_reader(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        open_cached(tmp_path / "absent")
    with pytest.raises(UsageError, match="not a file"):
        open_cached(tmp_path)
    (tmp_path / "bad.txt").write_text("0 qid:1 1:1\nx\n")
    with pytest.raises(DataFormatError, match=r"bad\.txt:2"):
        open_cached(tmp_path / "bad.txt")
    assert entries() == []


# The digest and its notes.


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Paths whose digest was computed, not looked up."""
    calls: list[Path] = []
    compute = checksum.compute_sha256

    def watch(path: Path) -> str:
        calls.append(path)
        return compute(path)

    monkeypatch.setattr(checksum, "compute_sha256", watch)
    return calls


def test_digest_is_computed_once(tmp_path: Path, settled: None, computed: list[Path]) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"abc")
    link = tmp_path / "link"
    link.symlink_to(file)
    assert [file_sha256(file), file_sha256(link), file_sha256(str(file))] == [SHA256_OF_ABC] * 3
    assert len(computed) == 1
    file.write_bytes(b"abd")
    assert file_sha256(file) != SHA256_OF_ABC
    assert len(computed) == 2


def test_fresh_files_get_no_note(tmp_path: Path, computed: list[Path]) -> None:
    """Two changes within one step of the file system's clock look like one, so no note can be trusted yet."""
    file = tmp_path / "x"
    file.write_bytes(b"abc")
    file_sha256(file)
    file_sha256(file)
    assert len(computed) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"sha256": 1}'])
def test_damaged_notes_are_ignored(tmp_path: Path, settled: None, content: str) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"abc")
    file_sha256(file)
    (note,) = (cache_dir() / "checksums").iterdir()
    note.write_text(content)
    assert file_sha256(file) == SHA256_OF_ABC


def test_nothing_is_left_of_an_interrupted_entry(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ltrlib.datasets.letor.seal_array_folder", interrupt)
    with pytest.raises(KeyboardInterrupt):
        open_cached(path)
    assert entries() == []
