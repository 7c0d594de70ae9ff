"""``ltrlib data`` as a user meets it: what it prints, how it ends, and that it changes nothing it should not."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from ltrlib.cli import main
from ltrlib.datasets import cards
from ltrlib.datasets.locate import find_or_none
from ltrlib.datasets.registry import names
from tests.helpers.data import YAHOO, own_raw_folder, tar_bytes, write_files


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return own_raw_folder(monkeypatch, tmp_path / "project")


@pytest.fixture
def webscope(tmp_path: Path) -> Path:
    path = tmp_path / "ltrc_yahoo.tar.bz2"
    path.write_bytes(tar_bytes(YAHOO, "bz2"))
    return path


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main(["data", *map(str, args)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def real(name: str) -> Path:
    place = find_or_none(name)
    if place is None or place.missing:
        pytest.skip(f"{name} is not on this machine")
    return place.path


def test_list_shows_every_set_and_what_is_missing(raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(raw / "Yahoo-Set1", YAHOO)
    (raw / "Yahoo-Set1" / "set1.test.txt").unlink()
    code, out, _ = run(capsys, "list")
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert code == 0
    assert list(lines)[1:] == list(names())
    assert lines["mq2008"].endswith("missing")
    assert lines["yahoo-set1"].endswith(f"{raw / 'Yahoo-Set1'} (1 files missing)")


@pytest.mark.parametrize("name", names())
def test_show_works_for_every_set_with_nothing_here(raw: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = run(capsys, "show", name)
    assert code == 0
    assert "not here" in out
    assert name in out


@pytest.mark.parametrize("name", names())
def test_cards_are_markdown_tables_with_nothing_here(raw: Path, name: str) -> None:
    text = cards.markdown(name)
    widths = {
        block: {line.count("|") for line in block.splitlines() if line.startswith("|")} for block in text.split("\n\n")
    }
    assert all(len(counts) <= 1 for counts in widths.values()), "every row of a table has the same number of cells"
    assert "| on this machine | no |" in text
    assert "#" not in text.split("|")[0], "no heading: the page has its own"


def test_import_then_check_then_show(raw: Path, webscope: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "import", "yahoo-set1", webscope)
    assert code == 0
    assert f"yahoo-set1 is now in {raw / 'Yahoo-Set1'}" in out
    assert f"ltrlib data import yahoo-set2 {webscope}" in out
    assert "DIFFERS  train, rows: published 473,134; here 15" in out
    code, out, _ = run(capsys, "check", "yahoo-set1")
    assert code == 1, "these are not the published numbers of rows"
    assert "OK (no checksum known)  set1.train.txt" in out
    code, out, _ = run(capsys, "show", "yahoo-set1")
    assert (code, "✗ differs" in out) == (0, True)
    assert run(capsys, "get", "yahoo-set1")[:2] == (0, f"yahoo-set1 is here already: {raw / 'Yahoo-Set1'}\n")


def test_check_in_json(raw: Path, webscope: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "import", "yahoo-set2", webscope)
    code, out, _ = run(capsys, "check", "yahoo-set2", "--format", "json")
    report = json.loads(out)
    assert (code, report["ok"], report["name"]) == (1, False, "yahoo-set2")
    assert [file["file"] for file in report["files"]] == ["set2.train.txt", "set2.valid.txt", "set2.test.txt"]
    whole = [number for number in report["counts"] if number["part"] == "all queries once"]
    assert {number["what"]: number["counted"] for number in whole} == {"rows": 30, "queries": 10}


def test_check_of_a_broken_file_names_the_line(raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(raw / "Yahoo-Set1", YAHOO | {"set1.valid.txt": b"0 qid:1 1:1\n0 qid:1 1:x\n"})
    (raw / "Yahoo-Set1" / "set1.test.txt").unlink()
    code, out, _ = run(capsys, "check", "yahoo-set1")
    assert code == 1
    assert "FAIL" in out
    assert "set1.valid.txt:2" in out
    assert "MISSING" in out


@pytest.mark.parametrize("action", ["check", "show", "get", "import"])
def test_an_unknown_name_ends_with_2_and_the_known_names(
    raw: Path, capsys: pytest.CaptureFixture[str], action: str, tmp_path: Path
) -> None:
    code, out, err = run(capsys, action, "mq2009", *([tmp_path] if action == "import" else []))
    assert (code, out) == (2, "")
    assert "choose one of mq2008" in err
    assert len(err.splitlines()) == 2


def test_check_of_a_missing_set_ends_with_2(raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "check", "mq2008")
    assert code == 2
    assert "ltrlib data get mq2008" in err


def test_get_of_a_licensed_set_says_what_to_do_and_ends_with_1(raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "get", "mq2008")
    assert code == 1
    assert "Read and accept the online agreement" in out
    assert "ltrlib data import mq2008 PATH" in out


def test_a_bad_import_ends_with_2_and_leaves_nothing(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_files(tmp_path / "in", YAHOO | {"set1.train.txt": b"nonsense\n"})
    code, _, err = run(capsys, "import", "yahoo-set1", source)
    assert code == 2
    assert "set1.train.txt" in err
    assert os.listdir(raw) == []


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["mq2008", "ohsumed"])
def test_check_verifies_the_fifteen_real_files(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    real(name)
    code, out, _ = run(capsys, "check", name)
    assert code == 0
    assert sum(line.startswith("OK  Fold") for line in out.splitlines()) == 15
    assert "15 of 15 files, 66 of 66 counts" in out


@pytest.mark.realdata
def test_a_copy_with_other_line_ends_is_recognised_and_imported(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The publisher's own files of MQ2008 most likely end their lines with CR LF, ours with LF."""
    monkeypatch.undo()
    folder = real("mq2008")
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes().replace(b"\r", b"").replace(b"\n", b"\r\n")
        for path in folder.glob("Fold*/*.txt")
    }
    raw = own_raw_folder(monkeypatch, tmp_path / "project")
    code, out, _ = run(capsys, "import", "mq2008", write_files(tmp_path / "mq2008", files))
    assert code == 0
    assert out.count("OK (CRLF copy)") == 15
    files["Fold3/vali.txt"] = files["Fold3/vali.txt"].replace(b"0.000000", b"0.000001", 1)
    code, _, err = run(capsys, "import", "mq2008", write_files(tmp_path / "mq2008", files), "--replace")
    assert code == 2
    assert "Fold3/vali.txt is not the one of mq2008: wrong sha256" in err
    assert os.listdir(raw) == ["MQ2008"]


@pytest.mark.realdata
def test_the_card_of_a_real_set_has_counted_numbers() -> None:
    real("mq2008")
    card = cards.card("mq2008")
    assert set(card.counts["verdict"]) == {"✓ same"}
    assert card.labels["documents"].tolist() == ["12,279", "2,001", "931"]
    assert card.counted is not None
    assert card.documents["median"].tolist() == ["8"]


def test_get_from_the_package_index_shows_the_terms_and_waits_for_their_acceptance(
    raw: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))  # not a terminal: nobody was asked
    code, out, err = run(capsys, "get", "mslr-web10k-sample")
    assert code == 1
    assert "Research use under the online agreement" in out
    assert "--accept" in err
    assert not raw.exists()


def test_a_mistyped_data_path_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LTRLIB_DATA", f"{tmp_path}:{tmp_path / 'nosuch'}:{tmp_path / 'file'}")
    _, _, err = run(capsys, "list")
    assert f"LTRLIB_DATA names {tmp_path / 'nosuch'}, which does not exist" in err
    assert f"LTRLIB_DATA names {tmp_path / 'file'}, which is not a folder" in err
    assert main(["doctor"]) == 1
    assert "which does not exist" in capsys.readouterr().out


def test_a_place_where_nothing_can_be_written_is_named_with_a_way_out(
    raw: Path, webscope: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw.parent.mkdir()
    raw.write_text("a file is no folder, for root too")
    code, _, err = run(capsys, "import", "yahoo-set1", webscope)
    assert code == 2
    assert f"{raw}: data sets cannot be kept there: " in err
    assert "ask for the right to write there" in err
    monkeypatch.setattr("ltrlib.project.IN_CHECKOUT", False)
    monkeypatch.setenv("XDG_DATA_HOME", str(raw))
    assert "set XDG_DATA_HOME" in run(capsys, "import", "yahoo-set1", webscope)[2]
