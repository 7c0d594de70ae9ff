"""Data files as memory maps, converted once: the second time a file opens in a few milliseconds.

Entries lie under :func:`ltrlib.project.cache_dir`, keyed by the digest of the file's bytes, and are checked each time
they are opened; what is damaged or of another layout is made again. The folder can be removed at any time.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import replace
from os import PathLike

from ltrlib.atomic import new_folder, remove_forgotten
from ltrlib.datasets.array_folder import open_array_folder
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.container import RankingData, Source
from ltrlib.errors import DataFormatError
from ltrlib.project import cache_dir

__all__ = ["open_cached"]


def open_cached(
    path: str | PathLike[str],
    *,
    n_features: int | None = None,
    member: str | None = None,
    name: str | None = None,
    keep_comments: bool = True,
) -> RankingData:
    r"""Open a file in the LETOR format through the cache; the arrays are read-only memory maps.

    Where the cache cannot be written (no space, no permission), the file is read into memory.

    Parameters
    ----------
    path
        The file; compressed or an archive is fine.
    n_features, member, name, keep_comments
        As for :func:`~ltrlib.datasets.letor.read_letor`.

    Returns
    -------
    RankingData
        Its source holds the digest of the file (of the archive, for a member of one).

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "train.txt")
    ...     _ = path.write_text("2 qid:10 1:0.5\n0 qid:10 2:0.25\n")
    ...     open_cached(path, name="example")
    <RankingData example: 2 documents, 1 queries, 2 features>
    """
    before = file_sha256(path)
    source = Source(name or os.fspath(path), sha256=before)
    options = f"{before} {n_features} {member!r} {keep_comments}"
    is_default = (n_features, member, keep_comments) == (None, None, True)
    key = before if is_default else hashlib.sha256(options.encode()).hexdigest()
    entry = cache_dir() / "datasets" / key
    with suppress(DataFormatError):
        return replace(open_array_folder(entry), source=source)
    # Only now: opening what is there should not load the reader.
    from ltrlib.datasets.letor import convert_into, read_letor

    try:
        with new_folder(entry, replace=True) as unfinished:
            remove_forgotten(entry.parent)
            convert_into(unfinished, path, n_features, member, keep_comments, None, source)
            if file_sha256(path) != before:
                raise DataFormatError("the file changed while it was read", where=os.fspath(path))
            # Opened under its first name: another process may replace the entry as soon as it has its own.
            return open_array_folder(unfinished)
    except OSError:
        data = read_letor(path, n_features=n_features, member=member, name=name, keep_comments=keep_comments)
        return replace(data, source=source)
