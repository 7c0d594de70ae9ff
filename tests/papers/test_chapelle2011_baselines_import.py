"""Protects readers who have the licensed data: import, then the whole chapter, with clear errors before."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.cli import main
from ltrlib.datasets.letor.writer import write_letor
from ltrlib.datasets.loading import load
from ltrlib.project import ROOT
from tests.helpers.data import own_raw_folder, tar_bytes

YAHOO = "Yahoo! Learning to Rank Challenge"
PARTS = {f"set{number}.{part}.txt": (number, part) for number in (1, 2) for part in ("train", "valid", "test")}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The six files of the archive, with a few rows of the stand-ins in them."""
    folder = tmp_path_factory.mktemp("webscope")
    found = {}
    for name, (number, part) in PARTS.items():
        scale = 0.001 if number == 1 else 0.005
        write_letor(load(f"standin/yahoo-set{number}", part, scale=scale), folder / name, omit_zeros=True)
        found[name] = (folder / name).read_bytes()
    return found


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return own_raw_folder(monkeypatch, tmp_path / "project")


def archive(folder: Path, content: dict[str, bytes]) -> Path:
    path = folder / "ltrc_yahoo.tar.bz2"
    path.write_bytes(tar_bytes({f"ltrc_yahoo/{name}": data for name, data in content.items()}, "bz2"))
    return path


def papermill(chapter: str, out: Path, raw: Path, *parameters: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LTRLIB_DATA": str(raw), "LTRLIB_CACHE": str(out.parent / "cache")}
    command = [sys.executable, "-m", "papermill", f"chapters/{chapter}.md", str(out), *parameters]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def shown(notebook: Path) -> str:
    """Everything that the cells of an executed notebook display, except pictures."""
    cells = json.loads(notebook.read_text())["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = ["".join(output.get("data", {}).get("text/markdown", [])) for output in outputs]
    return "\n".join(text for text in texts if "base64" not in text)


def test_from_the_archive_to_the_whole_chapter(
    raw: Path, files: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = archive(tmp_path, files)
    for name in ("yahoo-set1", "yahoo-set2"):
        assert main(["data", "import", name, str(path)]) == 0, capsys.readouterr().err
    # Fewer trees than the paper's, which is the default: with 700 features, thousands take a minute on any data.
    given = ("-p", "dataset", "yahoo-set1", "-p", "trees", "40")
    done = papermill("32-chapelle2011-baselines", tmp_path / "out.ipynb", raw, *given)
    assert done.returncode == 0, done.stderr[-3000:]
    text = shown(tmp_path / "out.ipynb")
    table5 = next(part for part in text.split("```{table}") if ":name: tab-chapelle2011-table5" in part)
    assert f"computed on the real {YAHOO}, Set 1" in table5
    assert table5.count("BM25F-SD") == table5.count("GBDT") == 8, "once in the table, once in its CSV"
    assert "not comparable" not in table5, "on the real set every cell gets a verdict of its own"
    transfer = next(part for part in text.split("```{table}") if ":name: tab-chapelle2011-transfer" in part)
    assert "7 to 1" in transfer
    assert f"computed on the real {YAHOO}, Set 2" in text
    outside_claims = re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL)
    assert "chapelle2011/transfer-standin" not in outside_claims, "with both sets here, the transfer runs on them"


def test_the_metrics_chapter_reads_the_imported_set_too(
    raw: Path, files: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "import", "yahoo-set1", str(archive(tmp_path, files))]) == 0, capsys.readouterr().err
    out = tmp_path / "out.ipynb"
    done = papermill("31-chapelle2011-metrics", out, raw, "-p", "dataset", "yahoo-set1", "-p", "users", "50")
    assert done.returncode == 0, done.stderr[-3000:]
    text = shown(out)
    assert f"computed on the real {YAHOO}, Set 1" in text
    assert re.search(r"ERR is what its users see: the mean of \d*50 simulated visits", text), (
        "fifty users for each query"
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"set1.valid.txt": None}, "1 of the files of yahoo-set1 are missing: set1.valid.txt"),
        ({name: None for name in PARTS if name.startswith("set1")}, "does not look like yahoo-set1"),
        ({"set1.test.txt": b"1 qid:1 701:0.5\n0 qid:1 1:0.5\n"}, "701"),
        ({"set1.test.txt": b"5 qid:1 7:0.5\n0 qid:1 1:0.5\n"}, "labels from 0 to 5 instead of 0 to 4"),
        ({"set1.train.txt": b"<html>log in first</html>\n"}, "set1.train.txt"),
    ],
    ids=["missing file", "wrong layout", "too many features", "unknown label", "not the data"],
)
def test_a_wrong_archive_is_refused_with_the_reason_and_nothing_is_left(
    raw: Path,
    files: dict[str, bytes],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, bytes | None],
    complaint: str,
) -> None:
    content = {name: data for name, data in (files | change).items() if data is not None}
    assert main(["data", "import", "yahoo-set1", str(archive(tmp_path, content))]) == 2
    message = capsys.readouterr().err
    assert complaint in message
    assert "to do:" in message
    assert not raw.exists() or not any(raw.iterdir())
