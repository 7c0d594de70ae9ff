"""Ranking data as a folder of ``.npy`` arrays, opened as memory maps.

A file ``contents.json`` names the layout's version, the source, and state and digest of each array. An array whose
state changed since is compared by digest, so a folder that was damaged, cut off or edited is refused, and one that
was copied is not.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.checksum import compute_sha256, file_sha256, file_state
from ltrlib.datasets.container import RankingData, Source, TextColumn
from ltrlib.errors import DataFormatError, LtrlibError

__all__ = ["open_array_folder", "save_array", "seal_array_folder"]

LAYOUT = 1
"""Version of the layout; folders of another version are refused."""

_CONTENTS = "contents.json"
_COMMENTS = {"comment_blob", "comment_offsets"}
_ARRAYS = {"features", "labels", "query_offsets", "query_ids"}


def save_array(folder: Path, name: str, array: NDArray[Any]) -> None:
    """Write one array and make sure that the disk has it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_array(Path(folder), "labels", np.array([1, 0]))
    ...     np.load(Path(folder, "labels.npy"))
    array([1, 0])
    """
    with (folder / f"{name}.npy").open("xb") as file:
        np.save(file, array, allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())


def seal_array_folder(folder: Path, source: Source) -> None:
    """Write the table of contents of a folder that holds all its arrays.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     seal_array_folder(Path(folder), Source("example"))
    ...     [path.name for path in Path(folder).iterdir()]
    ['contents.json']
    """
    arrays = {
        path.stem: {"state": file_state(path), "sha256": compute_sha256(path)} for path in sorted(folder.glob("*.npy"))
    }
    contents = {"layout": LAYOUT, "source": asdict(source), "arrays": arrays}
    (folder / _CONTENTS).write_text(json.dumps(contents, indent=1))


def open_array_folder(folder: Path) -> RankingData:
    """Open a folder of arrays; nothing is read before it is used.

    Parameters
    ----------
    folder
        What :func:`~ltrlib.datasets.letor.convert_letor` made.

    Examples
    --------
    >>> open_array_folder(Path("nowhere"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.DataFormatError: nowhere: no intact folder of arrays (...)
      to do: convert the file again
    """
    try:
        contents = json.loads((folder / _CONTENTS).read_bytes())
        if contents["layout"] != LAYOUT:
            raise ValueError(f"layout {contents['layout']!r} instead of {LAYOUT}")
        noted = contents["arrays"]
        if set(noted) not in (_ARRAYS, _ARRAYS | _COMMENTS):
            raise ValueError("arrays are missing")
        arrays = {name: _open_array(folder / f"{name}.npy", **noted[name]) for name in noted}
        comments = TextColumn(arrays["comment_blob"], arrays["comment_offsets"]) if "comment_blob" in arrays else None
        return RankingData(
            features=arrays["features"],
            labels=arrays["labels"],
            query_offsets=arrays["query_offsets"],
            query_ids=arrays["query_ids"],
            comments=comments,
            source=Source(**contents["source"]),
        )
    except (OSError, ValueError, KeyError, TypeError, LtrlibError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise DataFormatError(
            f"no intact folder of arrays ({reason})", where=folder, cure="convert the file again"
        ) from error


def _open_array(path: Path, state: dict[str, int], sha256: str) -> NDArray[Any]:
    if file_state(path) != state and file_sha256(path) != sha256:
        raise ValueError(f"{path.name} was changed")
    # Plain arrays: the subclass that np.load returns makes each slice slower.
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
