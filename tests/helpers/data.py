"""Small made-up data sets in the publishers' layouts, and a ``data/raw`` of their own for tests."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

__all__ = ["YAHOO", "own_raw_folder", "rows", "tar_bytes", "write_files"]


def rows(n_queries: int, *, highest: int, first_query: int = 1, label: int = 4) -> bytes:
    """Rows in the LETOR format, three per query, sparse, whose highest feature index is ``highest``."""
    lines = []
    for query in range(first_query, first_query + n_queries):
        lines.append(f"0 qid:{query} 1:0.25 637:{query / 100}")
        lines.append(f"{label} qid:{query} 2:0.5 {highest}:1")
        lines.append(f"1 qid:{query} 5:0.125")
    return ("\n".join(lines) + "\n").encode()


YAHOO = {
    f"set{number}.{part}.txt": rows(n_queries, highest=698 + number, first_query=1000 * number + start)
    for number in (1, 2)
    for part, n_queries, start in (("train", 5, 0), ("valid", 2, 100), ("test", 3, 200))
}
"""The six files of Webscope C14B in small, with the known quirk: Set 1 stops at feature 699."""


def write_files(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def tar_bytes(files: Mapping[str, bytes], kind: str) -> bytes:
    """Pack files into a tar archive; ``kind`` is ``gz``, ``bz2``, ``xz`` or empty."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{kind}") as file:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def own_raw_folder(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """Make ``folder/raw`` stand for ``data/raw``, with nothing in ``LTRLIB_DATA`` and a cache of its own."""
    raw = folder / "raw"
    monkeypatch.setattr("ltrlib.project.project_data", lambda *parts: folder.joinpath(*parts))
    monkeypatch.delenv("LTRLIB_DATA", raising=False)
    monkeypatch.setenv("LTRLIB_CACHE", str(folder / "cache"))
    return raw
