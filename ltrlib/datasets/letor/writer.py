"""Write ranking data in the LETOR format."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.atomic import new_file
from ltrlib.datasets.container import RankingData, TextColumn
from ltrlib.datasets.letor.limits import MAX_FEATURES, MAX_QID
from ltrlib.errors import UsageError
from ltrlib.progress import progress

__all__ = ["write_letor"]

_VALUES_AT_ONCE = 1 << 17
_ID = re.compile(r"[^\x00-\x20#]+")


def write_letor(data: RankingData, path: str | PathLike[str], *, omit_zeros: bool = False) -> None:
    r"""Write ranking data so that reading it gives the same: each value in the fewest digits that tell it apart.

    Parameters
    ----------
    data
        What to write.
    path
        Where to; an existing file is replaced when all is written. Compressed if the name ends in ``.gz``, ``.xz`` or
        ``.bz2``.
    omit_zeros
        Leave out features that are 0. The number of features may then be lost: give it when reading.

    Examples
    --------
    >>> import tempfile
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.array([[0.5, 0.1]], np.float32), np.array([2], np.int32), np.array([0, 1]),
    ...                    np.array(["a"]), TextColumn.from_strings(["docid = D1"]), Source("example"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_letor(data, Path(folder, "x.txt"))
    ...     Path(folder, "x.txt").read_text()
    '2 qid:a 1:0.5 2:0.1 #docid = D1\n'
    """
    path = Path(path)
    ids = _checked(data, path)
    try:
        with ExitStack() as stack:
            file = stack.enter_context(new_file(path))
            file = stack.enter_context(_compressed(file, path.suffix))
            bar = stack.enter_context(progress(total=data.n_docs, what=f"writing {path.name}", unit="rows"))
            for start, stop, text in _texts(data, ids, path, omit_zeros):
                file.write(text.data)
                bar.update(stop - start)
    except OSError as error:
        raise UsageError(f"the file cannot be written: {error.strerror}", where=path) from None


def _compressed(file: IO[bytes], suffix: str) -> Any:
    if suffix == ".gz":
        # No time and no name inside, so that the same data makes the same bytes.
        return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
    if suffix == ".xz":
        return lzma.LZMAFile(file, "wb")
    return bz2.BZ2File(file, "wb") if suffix == ".bz2" else nullcontext(file)


def _checked(data: RankingData, path: Path) -> TextColumn:
    """The part of a line between label and features, per query, after a look at what the format cannot hold."""
    if not data.n_docs:
        raise UsageError("there are no rows to write, and the format has no empty file", where=path)
    if data.n_features > MAX_FEATURES:
        raise UsageError(f"{data.n_features:,} features, but the format has at most {MAX_FEATURES:,}", where=path)
    for query in data.query_ids:
        if not _can_be_id(query):
            what = f"the query id {str(query)!r} is empty, too long, or has a blank, a control character or a '#'"
            raise UsageError(what, where=path)
    if data.comments is not None:
        blob = data.comments.blob
        stray = np.flatnonzero((blob < ord(" ")) & (blob != ord("\t")))
        if len(stray):
            row = int(np.searchsorted(data.comments.offsets, stray[0], "right")) - 1
            raise UsageError(f"the comment of row {row} has a line end or another control character", where=path)
    return TextColumn.from_strings(f" qid:{query}" for query in data.query_ids)


def _can_be_id(query: str) -> bool:
    try:
        return bool(_ID.fullmatch(query)) and len(query.encode()) <= MAX_QID
    except UnicodeEncodeError:
        return False


def _texts(
    data: RankingData, ids: TextColumn, path: Path, omit_zeros: bool
) -> Iterator[tuple[int, int, NDArray[np.uint8]]]:
    from ltrlib.datasets.letor import render

    no_comments = np.empty(0, np.uint8), np.empty(0, np.int64)
    longest_id = int(np.diff(ids.offsets).max())
    step = max(1, _VALUES_AT_ONCE // max(1, data.n_features))
    for start in range(0, data.n_docs, step):
        stop = min(start + step, data.n_docs)
        features = data.features[start:stop]
        if not np.isfinite(features).all():
            row = start + int(np.flatnonzero(~np.isfinite(features).all(axis=1))[0])
            raise UsageError(f"row {row} has a feature that is not a finite number", where=path)
        queries = np.searchsorted(data.query_offsets, np.arange(start, stop), "right") - 1
        comment_blob, comment_offsets = no_comments
        if data.comments is not None:
            comment_blob, comment_offsets = data.comments.blob, data.comments.offsets[start : stop + 1]
        ready = _ready_texts(features, render.PLAIN_FROM, render.PLAIN_TO)
        room = features.size * render.BYTES_PER_VALUE + (stop - start) * (render.BYTES_PER_ROW + longest_id)
        room += int(comment_offsets[-1] - comment_offsets[0]) if len(comment_offsets) else 0
        out = np.empty(room, np.uint8)
        used = render.render_rows(
            features,
            data.labels[start:stop],
            queries,
            ids.blob,
            ids.offsets,
            comment_blob,
            comment_offsets,
            ready.blob,
            ready.offsets,
            omit_zeros,
            out,
        )
        yield start, stop, out[:used]


def _ready_texts(features: NDArray[np.float32], plain_from: float, plain_to: float) -> TextColumn:
    """Texts of the values that are too small or too large for plain decimals."""
    size = np.abs(features)
    odd = features[(size != 0) & ((size < plain_from) | (size >= plain_to))]
    return TextColumn.from_strings(np.format_float_scientific(value, unique=True, trim="-") for value in odd)
