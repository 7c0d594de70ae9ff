"""Importing finds the files whatever the archive looks like, verifies them, and leaves nothing half-written."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ltrlib.datasets import load
from ltrlib.datasets.importing import import_dataset
from ltrlib.datasets.locate import find_or_none, match_layout
from ltrlib.datasets.registry import dataset
from ltrlib.errors import DataFormatError, LtrlibError, MissingDataError, UsageError
from tests.helpers.data import YAHOO, own_raw_folder, rows, tar_bytes, write_files

SET1 = {name: content for name, content in YAHOO.items() if name.startswith("set1")}


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return own_raw_folder(monkeypatch, tmp_path / "project")


def archive(tmp_path: Path, name: str, content: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def zip_bytes(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return buffer.getvalue()


SOURCES = {
    "ltrc_yahoo.tar.bz2": tar_bytes(YAHOO, "bz2"),
    "dataset.tgz": tar_bytes({"README": b"C14B", "ltrc_yahoo.tar.bz2": tar_bytes(YAHOO, "bz2")}, "gz"),
    "deep.tar.xz": tar_bytes({f"a/b/LTRC/{name.upper()}": content for name, content in YAHOO.items()}, "xz"),
    "flat.zip": zip_bytes(YAHOO),
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_webscope_archive_is_imported_and_can_be_loaded(raw: Path, tmp_path: Path, name: str) -> None:
    report = import_dataset(dataset("yahoo-set1"), archive(tmp_path, name, SOURCES[name]))
    assert report.others == ("yahoo-set2",)
    assert sorted(os.listdir(raw)) == ["Yahoo-Set1"]
    assert {path.name: path.read_bytes() for path in (raw / "Yahoo-Set1").iterdir()} == SET1
    data = load("yahoo-set1", "train")
    assert (data.n_docs, data.n_queries, data.n_features) == (15, 5, 700)
    assert str(data.source) == "yahoo-set1 train"
    assert not data.source.standin


def test_both_sets_come_from_one_archive_with_the_same_width(raw: Path, tmp_path: Path) -> None:
    source = archive(tmp_path, "ltrc_yahoo.tar.bz2", SOURCES["ltrc_yahoo.tar.bz2"])
    for name in ("yahoo-set1", "yahoo-set2"):
        import_dataset(dataset(name), source)
    first, second = load("yahoo-set1", "test"), load("yahoo-set2", "test")
    assert first.n_features == second.n_features == 700
    assert np.flatnonzero(first.features[1])[-1] == 698
    assert np.flatnonzero(second.features[1])[-1] == 699


def test_published_counts_may_differ_and_the_report_says_so(raw: Path, tmp_path: Path) -> None:
    report = import_dataset(dataset("yahoo-set1"), write_files(tmp_path / "in", SET1)).check
    assert not report.ok
    assert all(file.verdict == "OK (no checksum known)" for file in report.files)
    train = {number.what: number for number in report.counts if number.part == "train"}
    assert (train["rows"].expected, train["rows"].counted, train["rows"].source) == (473134, 15, "published")


@pytest.mark.parametrize("case", [str.upper, str.lower, str.title])
def test_upper_and_lower_case_are_the_same(raw: Path, tmp_path: Path, case: object) -> None:
    assert callable(case)
    files = {f"{case('some/folder')}/{case(name)}": content for name, content in SET1.items()}
    import_dataset(dataset("yahoo-set1"), write_files(tmp_path / "in", files))
    assert sorted(os.listdir(raw / "Yahoo-Set1")) == sorted(SET1)


def fails(raw: Path, source: Path, error: type[LtrlibError], match: str, name: str = "yahoo-set1") -> LtrlibError:
    """Import what must be refused; nothing may be left behind."""
    before = {path: path.stat().st_mtime_ns for path in raw.rglob("*")} if raw.exists() else {}
    with pytest.raises(error, match=match) as caught:
        import_dataset(dataset(name), source)
    after = {path: path.stat().st_mtime_ns for path in raw.rglob("*")} if raw.exists() else {}
    assert after == before
    assert caught.value.cure
    return caught.value


def test_a_missing_file_is_named(raw: Path, tmp_path: Path) -> None:
    files = {name: content for name, content in SET1.items() if "valid" not in name}
    for source in (write_files(tmp_path / "in", files), archive(tmp_path, "a.tar.gz", tar_bytes(files, "gz"))):
        fails(raw, source, MissingDataError, r"1 of the files of yahoo-set1 are missing: set1\.valid\.txt")


def test_a_wrong_layout_is_told_with_what_was_expected(raw: Path, tmp_path: Path) -> None:
    source = write_files(tmp_path / "in", {"Fold1/train.txt": rows(1, highest=46)})
    fails(raw, source, DataFormatError, r"does not look like yahoo-set1: none of set1\.train\.txt, set1\.valid\.txt")


def test_a_folder_that_holds_the_archive_gets_the_right_command(raw: Path, tmp_path: Path) -> None:
    source = write_files(tmp_path / "in", {"ltrc_yahoo.tar.bz2": SOURCES["ltrc_yahoo.tar.bz2"]})
    error = fails(raw, source, DataFormatError, "does not look like")
    assert error.cure == "if they are in one of its archives, import that: ltrc_yahoo.tar.bz2"


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (rows(2, highest=701), "701"),
        (rows(2, highest=699, label=5), "labels from 0 to 5 instead of 0 to 4"),
        (b"0 1:0.5 2:1\n", "set1.valid.txt"),
        (b"", "set1.valid.txt"),
    ],
)
def test_wrong_content_is_refused(raw: Path, tmp_path: Path, content: bytes, match: str) -> None:
    source = write_files(tmp_path / "in", SET1 | {"set1.valid.txt": content})
    fails(raw, source, DataFormatError, match)


def test_too_few_features_in_a_dense_set_are_refused(raw: Path, tmp_path: Path) -> None:
    files = {f"Fold{fold}/{part}.txt": b"0 qid:1 45:1\n" for fold in range(1, 6) for part in ("train", "vali", "test")}
    fails(raw, write_files(tmp_path / "in", files), DataFormatError, "45 features instead of 46", "mq2007")


def test_known_files_are_not_confused_with_others(raw: Path, tmp_path: Path) -> None:
    files = {f"Fold{fold}/{part}.txt": b"0 qid:1 46:1\n" for fold in range(1, 6) for part in ("train", "vali", "test")}
    fails(raw, write_files(tmp_path / "in", files), DataFormatError, "wrong sha256", "mq2008")


@pytest.mark.realdata
def test_another_data_set_of_the_same_layout_is_recognised(raw: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    place = find_or_none("mq2008")
    if place is None:
        pytest.skip("mq2008 is not on this machine")
    raw = own_raw_folder(monkeypatch, raw.parent)
    error = fails(raw, place.path, DataFormatError, "rows and queries of mq2008, not of mq2007", "mq2007")
    assert error.cure == f"ltrlib data import mq2008 {place.path}"


def test_of_several_folders_the_one_with_the_right_name_is_taken(raw: Path, tmp_path: Path) -> None:
    files = {f"{folder}/{name}": content for folder in ("LTRC_yahoo", "b", "c/d") for name, content in SET1.items()}
    files["LTRC_yahoo/set1.test.txt"] = rows(7, highest=699)
    import_dataset(dataset("yahoo-set1"), write_files(tmp_path / "in", files))
    assert load("yahoo-set1", "test").n_queries == 7


def test_rar_is_to_be_unpacked_first(raw: Path, tmp_path: Path) -> None:
    error = fails(raw, archive(tmp_path, "MQ2008.rar", b"Rar!"), DataFormatError, "rar archives", "mq2008")
    assert "unrar x MQ2008.rar" in str(error.cure)


def test_a_damaged_archive_is_refused(raw: Path, tmp_path: Path) -> None:
    content = SOURCES["ltrc_yahoo.tar.bz2"]
    fails(raw, archive(tmp_path, "a.tar.bz2", content[: len(content) // 2]), DataFormatError, "damaged")


def test_a_zip_file_that_points_before_its_beginning_is_damaged(raw: Path, tmp_path: Path) -> None:
    """The reader is then sent to a negative place, which the system calls an invalid argument."""
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in YAHOO.items():
            archive.writestr(name, content)
    damaged = bytearray(path.read_bytes())
    place = slice(damaged.rindex(b"PK\x05\x06") + 16, damaged.rindex(b"PK\x05\x06") + 20)
    damaged[place] = (int.from_bytes(damaged[place], "little") + 70_000).to_bytes(4, "little")
    path.write_bytes(damaged)
    with pytest.raises(DataFormatError, match="damaged"):
        import_dataset(dataset("yahoo-set1"), path)
    assert not any(raw.iterdir())


def test_a_source_that_is_not_there_is_told(raw: Path, tmp_path: Path) -> None:
    fails(raw, tmp_path / "nothing", UsageError, "no such file or folder")


def test_a_copy_that_is_there_is_replaced_only_on_demand(raw: Path, tmp_path: Path) -> None:
    import_dataset(dataset("yahoo-set1"), write_files(tmp_path / "old", SET1))
    new = SET1 | {"set1.test.txt": rows(9, highest=699)}
    fails(raw, write_files(tmp_path / "new", new), UsageError, "already")
    import_dataset(dataset("yahoo-set1"), tmp_path / "new", replace=True)
    assert load("yahoo-set1", "test").n_queries == 9


def test_a_failed_replacement_keeps_the_old_copy(raw: Path, tmp_path: Path) -> None:
    import_dataset(dataset("yahoo-set1"), write_files(tmp_path / "old", SET1))
    broken = write_files(tmp_path / "new", SET1 | {"set1.test.txt": b"x"})
    with pytest.raises(DataFormatError):
        import_dataset(dataset("yahoo-set1"), broken, replace=True)
    assert {path.name: path.read_bytes() for path in (raw / "Yahoo-Set1").iterdir()} == SET1
    assert os.listdir(raw) == ["Yahoo-Set1"]


def test_two_equal_candidates_are_not_guessed_between(raw: Path, tmp_path: Path) -> None:
    files = {f"{folder}/{name}": content for folder in ("a", "b") for name, content in SET1.items()}
    fails(raw, write_files(tmp_path / "in", files), UsageError, "several folders look like yahoo-set1: a, b")


def test_of_the_versions_of_letor_3_the_query_level_norm_is_taken() -> None:
    versions = ("Feature-min", "QueryLevelNorm", "Feature-null")
    names = ("trainingset", "validationset", "testset")
    paths = [f"OHSUMED/{v}/Fold{k}/{n}.txt" for v in versions for k in range(1, 6) for n in names]
    best = match_layout(paths, dataset("ohsumed"))[0]
    assert (best.folder, best.missing) == ("OHSUMED/QueryLevelNorm", ())
    assert best.files["Fold3/vali"] == "OHSUMED/QueryLevelNorm/Fold3/validationset.txt"


def test_query_sizes_belong_to_the_files_that_are_needed() -> None:
    match = match_layout(["x/rank.train", "x/rank.test", "x/rank.test.query"], dataset("lightgbm-example"))[0]
    assert match.missing == ("rank.train", "rank.train.query")


def test_a_bomb_is_refused_by_what_the_registry_knows_of_the_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = own_raw_folder(monkeypatch, tmp_path / "project")
    bomb = tmp_path / "MQ2008.tar"
    with bomb.open("wb") as file:
        info = tarfile.TarInfo("MQ2008/Fold1/train.txt")
        info.size = 6 << 30  # declared; nothing of it needs to be there
        file.write(info.tobuf())
    with pytest.raises(DataFormatError, match="bytes when unpacked"):
        import_dataset(dataset("mq2008"), bomb)
    assert not list(raw.iterdir())
