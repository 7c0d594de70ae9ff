"""Data sets that are distributed in another form than LETOR text, and are rewritten when they are imported.

CatBoost's querywise sample has a line per document, parted by tabs: a weight, the query, the target, the address, a
group, then 50 features. The target is a relevance between 0 and 1, the mean over judges: Yandex's five grades stand at
0, 0.07, 0.14, 0.41 and 0.61. Its label here is the highest grade that it reaches, counted from 0.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.lines import read_lines, shown
from ltrlib.errors import DataFormatError

__all__ = ["CONVERSIONS", "Original", "convert", "originals_in"]

GRADES = (0.07, 0.14, 0.41, 0.61)
"""Relevance at which the labels 1 to 4 begin."""

_BEFORE_FEATURES, _FEATURES = 5, 50


@dataclass(frozen=True)
class Original:
    """A file as its publisher has it.

    Parameters
    ----------
    name
        Of the file.
    sha256
        Its digest.
    """

    name: str
    sha256: str


CONVERSIONS: Mapping[str, Mapping[str, Original]] = {
    "catboost-querywise": {
        "train.txt": Original("train", "545a687611fdd52b3db01b811da2142d06266c3c462c8a58461b8087d72a5e98"),
        "test.txt": Original("test", "66dfcc21b9bf915d9aa3f2201079e52254f8257437514418bba4ab29c4faedf6"),
    }
}
"""By data set: what each of our files is made from."""


def originals_in(folder: Path, name: str) -> dict[str, Path]:
    """Find the publisher's files of a data set anywhere in a folder, by their digests: by our names, where they are.

    Examples
    --------
    >>> import tempfile
    >>> originals_in(Path(tempfile.mkdtemp()), "catboost-querywise")
    {}
    """
    found = {}
    for ours, original in CONVERSIONS.get(name, {}).items():
        same = (path for path in sorted(folder.rglob(original.name)) if path.is_file() and not path.is_symlink())
        if place := next((path for path in same if file_sha256(path) == original.sha256), None):
            found[ours] = place
    return found


def convert(source: Path, target: Path) -> None:
    r"""Rewrite a file of CatBoost's sample as LETOR text.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "train").write_text("1\t7\t0.41\thttp://x\t3\t" + "\t".join(["0.5", *"0" * 49]) + "\n")
    >>> convert(folder / "train", folder / "train.txt")
    >>> (folder / "train.txt").read_text()[:22], (folder / "train.txt").read_text()[-18:]
    ('3 qid:7 1:0.5 2:0 3:0 ', '#docid = http://x\n')
    """
    with target.open("xb") as file:
        for block in read_lines(source):
            for place, line in enumerate(block.lines if block.text else []):
                file.write(_row(line, block.where(place)))


def _row(line: bytes, where: str) -> bytes:
    fields = line.rstrip(b"\r").split(b"\t")
    if len(fields) != _BEFORE_FEATURES + _FEATURES:
        raise DataFormatError(f"{len(fields)} columns", where=where, cure=f"write {_BEFORE_FEATURES + _FEATURES}")
    _, query, target, address, _ = fields[:_BEFORE_FEATURES]
    try:
        label = bisect_right(GRADES, float(target))
    except ValueError:
        raise DataFormatError(f"the target {shown(target)} is not a number", where=where) from None
    features = b" ".join(b"%d:%s" % numbered for numbered in enumerate(fields[_BEFORE_FEATURES:], start=1))
    return b"%d qid:%s %s #docid = %s\n" % (label, query, features, address)
