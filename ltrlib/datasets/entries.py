"""What the registry says about a data set, as plain typed objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ltrlib.errors import UsageError

__all__ = ["DataSet", "Expected", "Package", "Part"]


@dataclass(frozen=True)
class Package:
    """A source distribution on the package index that holds a data set.

    Parameters
    ----------
    name, version
        As the index knows it.
    sha256
        Digest of the archive.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> dataset("trec-news-2018").package.name
    'fastrank'
    """

    name: str
    version: str
    sha256: str


@dataclass(frozen=True)
class Expected:
    """What a data set or a part of it should hold; None where nobody told.

    Parameters
    ----------
    source
        ``"counted"`` from files with known checksums, or ``"published"`` by somebody else.
    by
        Who published the numbers.
    rows, queries
        How many.
    labels
        Rows per label.
    empty
        Queries without a label above 0.
    shorter
        Queries with fewer than k documents, for those k from 1 to 10 where there are any.
    documents
        Documents per query: minimum, median, maximum.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> dataset("mq2008").expected.labels[2]
    931
    """

    source: Literal["counted", "published"]
    by: str = ""
    rows: int | None = None
    queries: int | None = None
    labels: Mapping[int, int] | None = None
    empty: int | None = None
    shorter: Mapping[int, int] | None = None
    documents: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Part:
    """One file of a data set.

    Parameters
    ----------
    name
        Such as ``"Fold1/train"`` or, in a set without folds, ``"train"``.
    role
        ``"train"``, ``"vali"`` or ``"test"``.
    files
        Paths inside the data set's folder under which the file is distributed; the first is ours.
    expected
        What it should hold.
    sha256
        Digest of the known file.
    query_sizes
        What to append to the file's name to get the file with the sizes of the queries; empty when the rows
        name their queries.
    query_sizes_sha256
        Digest of that file.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> dataset("mq2008").part("Fold1/vali").files
    ('Fold1/vali.txt',)
    """

    name: str
    role: str
    files: tuple[str, ...]
    expected: Expected
    sha256: str | None = None
    query_sizes: str = ""
    query_sizes_sha256: str | None = None

    def known_files(self) -> Iterator[tuple[str, str | None]]:
        """Yield our name and the known digest of each file that the part needs.

        Examples
        --------
        >>> from ltrlib.datasets.registry import dataset
        >>> [name for name, digest in dataset("lightgbm-example").part("test").known_files()]
        ['rank.test', 'rank.test.query']
        """
        yield self.files[0], self.sha256
        if self.query_sizes:
            yield self.files[0] + self.query_sizes, self.query_sizes_sha256


@dataclass(frozen=True)
class DataSet:
    """What the registry knows about one data set.

    Parameters
    ----------
    name
        The name in the book and on the command line.
    title, about, publisher, page
        What it is, and whose.
    terms_short, terms
        Under which terms it may be used, in a few words and in a sentence.
    cite
        Keys of the bibliography.
    obtain
        What to accept and what to download, for somebody who has nothing yet.
    folders
        Folder names accepted, in any case; the first is the one in ``data/raw``.
    parts
        Its files, by name.
    features
        Number of features.
    dense
        Whether every row names every feature; else a file may stop short of the last features.
    max_label
        The highest label.
    once
        Names of the parts that together hold each query once.
    expected
        What those parts hold together.
    prefer
        Name of the folder to take when the publisher's archive holds several versions.
    archives
        Archives that are read as they are, with their digests.
    download
        Direct public link per file.
    package
        Source distribution on the package index that holds the files; None when there is none.
    standin
        Name of the generated set that resembles this one; empty when there is none.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> mq2008 = dataset("mq2008")
    >>> mq2008.features, len(mq2008.parts), mq2008.folds
    (46, 15, ('Fold1', 'Fold2', 'Fold3', 'Fold4', 'Fold5'))
    """

    name: str
    title: str
    about: str
    publisher: str
    page: str
    terms_short: str
    terms: str
    cite: tuple[str, ...]
    obtain: str
    folders: tuple[str, ...]
    parts: Mapping[str, Part]
    features: int
    dense: bool
    max_label: int
    once: tuple[str, ...]
    expected: Expected
    prefer: str = ""
    archives: Mapping[str, str] = field(default_factory=dict)
    download: Mapping[str, str] = field(default_factory=dict)
    package: Package | None = None
    standin: str = ""

    @property
    def folds(self) -> tuple[str, ...]:
        """Names of the folds in order; empty for a set with a single split."""
        return tuple(dict.fromkeys(name.rpartition("/")[0] for name in self.parts if "/" in name))

    def part(self, name: str) -> Part:
        """Return one part by name.

        Examples
        --------
        >>> from ltrlib.datasets.registry import dataset
        >>> dataset("yahoo-set1").part("Fold1/train")
        Traceback (most recent call last):
        ...
        ltrlib.errors.UsageError: data set yahoo-set1 has no part 'Fold1/train'
          to do: choose one of train, valid, test
        """
        try:
            return self.parts[name]
        except KeyError:
            raise UsageError(
                f"data set {self.name} has no part {name!r}", cure=f"choose one of {', '.join(self.parts)}"
            ) from None
