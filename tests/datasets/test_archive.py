"""Unpacking is safe: nothing outside the target, no links or devices, limits hold, failures leave nothing."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.datasets.archive import Limits, unpack
from ltrlib.errors import DataFormatError, LtrlibError, UsageError

CONTENT = {"MQ2008/Fold1/train.txt": b"0 qid:1 1:0.5\n" * 1000, "MQ2008/readme": b"text"}
TAR_SUFFIXES = {"tar": "w", "tar.gz": "w:gz", "tgz": "w:gz", "tar.bz2": "w:bz2", "tbz2": "w:bz2", "tar.xz": "w:xz"}


def make_tar(path: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as file:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return path


def make_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def make(path: Path, members: dict[str, bytes]) -> Path:
    suffix = path.name.partition(".")[2]
    return make_zip(path, members) if suffix == "zip" else make_tar(path, members, TAR_SUFFIXES[suffix])


def refused(archive: Path, match: str, limits: Limits | None = None) -> DataFormatError:
    """Unpack what must be refused; neither the target nor anything half-written may be left."""
    before = set(archive.parent.rglob("*"))
    with pytest.raises(DataFormatError, match=match) as error:
        unpack(archive, archive.parent / "target", limits=limits)
    assert set(archive.parent.rglob("*")) == before
    assert str(archive) in str(error.value)
    return error.value


@pytest.mark.parametrize("suffix", ["zip", *TAR_SUFFIXES])
def test_every_kind_round_trips(tmp_path: Path, suffix: str) -> None:
    names = unpack(make(tmp_path / f"a.{suffix}", CONTENT), tmp_path / "target")
    assert {name: (tmp_path / "target" / name).read_bytes() for name in names} == CONTENT


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_a_single_compressed_file_is_unpacked_under_its_own_name(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    archive = tmp_path / f"set1.train.txt.{suffix}"
    archive.write_bytes(pack(b"0 qid:1 1:1\n"))
    assert unpack(archive, tmp_path / "target") == ["set1.train.txt"]
    assert (tmp_path / "target" / "set1.train.txt").read_bytes() == b"0 qid:1 1:1\n"


def test_only_wanted_files_are_written(tmp_path: Path) -> None:
    archive = make(tmp_path / "a.tar.gz", CONTENT)
    assert unpack(archive, tmp_path / "target", wanted=lambda name: name.endswith(".txt")) == ["MQ2008/Fold1/train.txt"]
    assert [path.name for path in (tmp_path / "target").rglob("*.*")] == ["train.txt"]


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.xz"])
@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/tmp/evil", "..\\evil", "C:\\evil", "a/.."])
def test_a_path_outside_the_target_is_refused(tmp_path: Path, suffix: str, name: str) -> None:
    refused(make(tmp_path / f"a.{suffix}", {"good": b"1", name: b"2"}), "outside the target")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_links_and_special_files_in_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as file:
        info = tarfile.TarInfo("link")
        info.type, info.linkname = kind, "/etc/passwd"
        file.addfile(info)
    refused(tmp_path / "a.tar", "link or a special file")


def test_a_symbolic_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr(info, "/etc/passwd")
    refused(tmp_path / "a.zip", "link or a special file")


@pytest.mark.parametrize("suffix", ["zip", "tar.gz"])
def test_more_bytes_than_allowed_are_refused(tmp_path: Path, suffix: str) -> None:
    bomb = make(tmp_path / f"a.{suffix}", {"zeros": bytes(3_000_000)})
    assert bomb.stat().st_size < 5_000
    refused(bomb, "more than 2,000,000 bytes", Limits(bytes=2_000_000))


def test_the_limit_holds_where_no_size_is_declared(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(3_000_000)))
    refused(tmp_path / "a.gz", "more than 2,000,000 bytes", Limits(bytes=2_000_000))


def test_a_disk_without_room_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = make(tmp_path / "a.tar", CONTENT)
    usage = type(shutil.disk_usage(tmp_path))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1_000_000, 890_000, 110_000))
    with pytest.raises(UsageError, match="a tenth of the disk free"):
        unpack(archive, tmp_path / "target")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar"]


@pytest.mark.parametrize("suffix", ["zip", "tar"])
def test_more_entries_than_allowed_are_refused(tmp_path: Path, suffix: str) -> None:
    archive = make(tmp_path / f"a.{suffix}", {f"{i}.txt": b"" for i in range(6)})
    refused(archive, "more than 5 entries", Limits(files=5))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("suffix", ["zip", "tar"])
@pytest.mark.parametrize("second", ["a", "a/b"])
def test_two_entries_with_one_name_are_refused(tmp_path: Path, suffix: str, second: str) -> None:
    path = tmp_path / f"a.{suffix}"
    if suffix == "zip":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("a", "1")
            file.writestr(second, "2")
    else:
        with tarfile.open(path, "w") as tar:
            tar.addfile(tarfile.TarInfo("a"))
            tar.addfile(tarfile.TarInfo(second))
    refused(path, "two entries")


@pytest.mark.parametrize("suffix", ["zip", *TAR_SUFFIXES])
def test_a_cut_off_archive_is_reported_as_damaged(tmp_path: Path, suffix: str) -> None:
    archive = make(tmp_path / f"a.{suffix}", {"train.txt": bytes(range(256)) * 400})
    content = archive.read_bytes()
    archive.write_bytes(content[: len(content) // 2])
    assert refused(archive, "damaged").cure == "get it again"


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(make_zip(tmp_path / "a.zip", {"a": b"1"}).read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    (tmp_path / "a.zip").write_bytes(content)
    refused(tmp_path / "a.zip", "encrypted")


@pytest.mark.parametrize(("name", "command"), [("MQ2008.rar", "unrar x"), ("a.7z", "7z x")])
def test_foreign_archives_get_the_command_that_unpacks_them(tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / name).write_bytes(b"Rar!")
    assert command in str(refused(tmp_path / name, "cannot be read here").cure)


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0 qid:1 1:1")
    refused(tmp_path / "train.txt", "neither a folder nor")


def test_an_existing_target_is_left_alone(tmp_path: Path) -> None:
    archive = make(tmp_path / "a.zip", CONTENT)
    (tmp_path / "target").mkdir()
    with pytest.raises(UsageError):
        unpack(archive, tmp_path / "target")
    assert not list((tmp_path / "target").iterdir())


segments = st.sampled_from(["..", ".", "", "a", "b", "\\", "..\\..", "/", "C:", "~", "a b", "é", "a\\b"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(segments, min_size=1, max_size=4), min_size=1, max_size=4), st.sampled_from(["tar", "zip"]))
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_whatever_the_names_nothing_appears_outside_the_target(names: list[list[str]], suffix: str) -> None:
    place = Path(tempfile.mkdtemp())
    try:
        (place / "inside").mkdir()
        archive = place / f"a.{suffix}"
        members = {"/".join(parts): b"x" for parts in names if "/".join(parts).strip("/")}
        make(archive, members)
        try:
            found = unpack(archive, place / "inside" / "target")
            assert all((place / "inside" / "target" / name).read_bytes() == b"x" for name in found)
        except LtrlibError:
            assert not list((place / "inside").iterdir())
        assert {path.name for path in place.iterdir()} == {archive.name, "inside"}
        assert {path.name for path in (place / "inside").iterdir()} <= {"target"}
    finally:
        shutil.rmtree(place)
