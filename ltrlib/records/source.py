"""Where data came from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Source"]


@dataclass(frozen=True)
class Source:
    """Where ranking data came from; it stays with the rows that are selected or changed later.

    Parameters
    ----------
    name
        Name of the data set (``"mq2008"``, ``"standin/mq2008"``) or the path of a file.
    part
        The part of the data set, such as ``"Fold1/train"``; empty for a single file.
    sha256
        Digest of the file's bytes, when known.
    standin
        Whether the rows are generated and only resemble the real data.

    Examples
    --------
    >>> print(Source("mq2008", part="Fold1/train"))
    mq2008 Fold1/train
    """

    name: str
    part: str = ""
    sha256: str | None = None
    standin: bool = False

    def __str__(self) -> str:
        return f"{self.name} {self.part}".rstrip()
