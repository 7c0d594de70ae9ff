"""The one family of errors: each says what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "ClaimError",
    "DataFormatError",
    "DownloadError",
    "LtrlibError",
    "MissingDataError",
    "RecordError",
    "UsageError",
]


class LtrlibError(Exception):
    """Base of every error that ltrlib raises on purpose.

    Parameters
    ----------
    what
        What is wrong, in one sentence without a full stop.
    where
        The place: a file, a file with a line number, a parameter.
    cure
        What the user can do about it.

    Examples
    --------
    >>> print(LtrlibError("the label is not an integer", where="train.txt:7", cure="write 0, 1, 2, ..."))
    train.txt:7: the label is not an integer
      to do: write 0, 1, 2, ...
    """

    def __init__(self, what: str, *, where: str | Path | None = None, cure: str | None = None) -> None:
        self.what = what
        self.where = None if where is None else str(where)
        self.cure = cure
        super().__init__(what)

    def __str__(self) -> str:
        head = self.what if self.where is None else f"{self.where}: {self.what}"
        return head if self.cure is None else f"{head}\n  to do: {self.cure}"

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling, and errors cross process borders in sweeps.
        return _rebuild, (type(self), self.what, self.where, self.cure)


def _rebuild(kind: type[LtrlibError], what: str, where: str | None, cure: str | None) -> LtrlibError:
    return kind(what, where=where, cure=cure)


class UsageError(LtrlibError):
    """A parameter, an option or a name that ltrlib does not know or cannot accept."""


class DataFormatError(LtrlibError):
    """A file whose content breaks its format; ``where`` holds the file and the line."""


class MissingDataError(LtrlibError):
    """A data set or a file that is not on this machine; ``cure`` holds the command that gets it."""


class DownloadError(LtrlibError):
    """A download that failed: unreachable, cut off, or with the wrong checksum."""


class RecordError(LtrlibError):
    """A recorded result or a published table whose schema, hash or arithmetic does not fit."""


class ClaimError(LtrlibError):
    """A claim that is unknown, badly declared, or cannot be computed here."""
