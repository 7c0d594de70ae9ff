"""CatBoost's querywise sample: the publisher's files become LETOR text, the same bytes every time."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ltrlib.cli import main
from ltrlib.datasets.conversions import CONVERSIONS, convert
from ltrlib.datasets.fetch import get
from ltrlib.datasets.importing import import_dataset
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import dataset
from ltrlib.errors import DataFormatError, LtrlibError
from tests.helpers.data import own_raw_folder, tar_bytes

SAMPLE = Path(os.environ.get("LTRLIB_DATA", ""), "CatBoost-querywise-sample")
real = pytest.mark.skipif(not SAMPLE.is_dir(), reason="CatBoost's sample is not in LTRLIB_DATA")


def row(target: str, query: str = "7", columns: int = 50) -> str:
    return "\t".join(["0.5", query, target, "http://x/#y", "3", *["0.25"] * columns]) + "\n"


def test_the_label_is_the_highest_grade_that_the_mean_over_judges_reaches(tmp_path: Path) -> None:
    targets = {"0": "0", "0.0699": "0", "0.07": "1", "0.105": "1", "0.14": "2", "0.275": "2", "0.41": "3", "0.61": "4"}
    (tmp_path / "train").write_text("".join(map(row, targets)))
    convert(tmp_path / "train", tmp_path / "train.txt")
    lines = (tmp_path / "train.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == list(targets.values())
    assert lines[0].startswith("0 qid:7 1:0.25 2:0.25 ")
    assert lines[0].endswith(" 50:0.25 #docid = http://x/#y")


@pytest.mark.parametrize(
    ("text", "what"), [(row("0") + row("x"), ":2: the target"), (row("0", columns=49), ":1: 54 col")]
)
def test_another_file_is_refused_with_its_line(text: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "train").write_text(text)
    with pytest.raises(DataFormatError) as raised:
        convert(tmp_path / "train", tmp_path / "train.txt")
    assert what in str(raised.value)


@real
@pytest.mark.parametrize("form", ["folder", "tar.gz"])
def test_the_publishers_files_are_imported_checked_and_loaded(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Counts and checksums are those of the registry; every target has the grade that it had."""
    raw = own_raw_folder(monkeypatch, tmp_path)
    source = SAMPLE
    if form == "tar.gz":
        source = tmp_path / "catboost.tar.gz"
        inside = "catboost-1/catboost/pytest/data/querywise/"
        source.write_bytes(tar_bytes({inside + name: (SAMPLE / name).read_bytes() for name in ("train", "test")}, "gz"))
    report = import_dataset(dataset("catboost-querywise"), source)
    assert report.check.ok
    assert sorted(path.name for path in raw.rglob("*") if path.is_file()) == ["test.txt", "train.txt"]
    assert main(["data", "check", "catboost-querywise"]) == 0
    assert "2 of 2 files" in capsys.readouterr().out
    data = load("catboost-querywise", "test")
    targets = [float(line.split("\t")[2]) for line in (SAMPLE / "test").read_text().splitlines()]
    assert [sum(target >= grade for grade in (0.07, 0.14, 0.41, 0.61)) for target in targets] == data.labels.tolist()


@real
def test_a_download_is_verified_as_the_publisher_has_it_and_then_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_raw_folder(monkeypatch, tmp_path)
    asked = []

    def from_here(url: str, target: Path, sha256: str | None) -> Path:
        asked.append((url.rpartition("/")[2], sha256))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLE / url.rpartition("/")[2], target)
        return target

    monkeypatch.setattr("ltrlib.datasets.fetch.download", from_here)
    assert get(dataset("catboost-querywise")).check.ok
    assert asked == [(one.name, one.sha256) for one in CONVERSIONS["catboost-querywise"].values()]


def test_what_is_not_the_publishers_file_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = own_raw_folder(monkeypatch, tmp_path)
    (tmp_path / "mine").mkdir()
    for name in ("train", "test"):
        (tmp_path / "mine" / name).write_text(row("0"))
    with pytest.raises(LtrlibError, match="does not look like catboost-querywise"):
        import_dataset(dataset("catboost-querywise"), tmp_path / "mine")
    assert not any(raw.iterdir())
