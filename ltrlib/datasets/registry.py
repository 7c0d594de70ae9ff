"""The registry of data sets: ``data/registry.yml`` as checked, typed objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from ltrlib.datasets.entries import DataSet, Expected, Package, Part
from ltrlib.errors import RecordError, UsageError
from ltrlib.project import project_data
from ltrlib.yaml_file import YamlFile

__all__ = ["dataset", "datasets", "names", "read_registry", "real_set"]

ROLES = {"train": "train", "vali": "vali", "valid": "vali", "test": "test"}
SCHEMA = 1

T = TypeVar("T")


def dataset(name: str) -> DataSet:
    """Return one data set of the registry.

    Examples
    --------
    >>> dataset("ohsumed").title
    'OHSUMED (LETOR 3.0, QueryLevelNorm)'
    """
    known = datasets()
    if name in known:
        return known[name]
    cure = f"choose one of {', '.join(known)}"
    if name.startswith("standin/"):
        cure = "a stand-in is generated, not downloaded: load it with ltrlib.datasets.load"
    raise UsageError(f"no data set is called {name!r}", cure=cure)


def names() -> tuple[str, ...]:
    """Return the names of all data sets, in the order of the registry.

    Examples
    --------
    >>> names()[:3]
    ('mq2008', 'mq2007', 'ohsumed')
    """
    return tuple(datasets())


def real_set(name: str) -> DataSet:
    """Return the data set itself, or the first one that a stand-in stands for.

    Examples
    --------
    >>> real_set("standin/mslr").name, real_set("ohsumed").name
    ('mslr-web10k', 'ohsumed')
    """
    return next((entry for entry in datasets().values() if entry.standin == name), None) or dataset(name)


def datasets() -> Mapping[str, DataSet]:
    """Return all data sets of the registry by name.

    Examples
    --------
    >>> "mq2008" in datasets()
    True
    """
    return read_registry(project_data("registry.yml"))


@lru_cache(maxsize=4)
def read_registry(path: Path) -> Mapping[str, DataSet]:
    """Read and check a registry file.

    Examples
    --------
    >>> len(read_registry(project_data("registry.yml")))
    12
    """
    root = _Node(YamlFile(path))
    root.only("schema", "datasets")
    if root.get("schema", int) != SCHEMA:
        raise root.wrong(f"schema is not {SCHEMA}")
    entries = root.child("datasets")
    return {str(name): _dataset(str(name), entries.child(name)) for name in entries.value}


class _Node:
    """A mapping of the file together with the place where it stands, for errors that point there."""

    def __init__(self, file: YamlFile, *place: object) -> None:
        self.file, self.place = file, place
        self.value: Any = file.content
        for key in place:
            self.value = self.value.get(key)
        if not isinstance(self.value, dict):
            raise self.wrong("a mapping is needed here")

    def wrong(self, what: str) -> RecordError:
        return RecordError(what, where=self.file.where(*self.place), cure="correct the entry")

    def only(self, *keys: str) -> None:
        if unknown := [str(key) for key in self.value if key not in keys]:
            raise self.wrong(f"unknown: {', '.join(unknown)}")

    def child(self, key: str) -> _Node:
        return _Node(self.file, *self.place, key)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        value = self.value.get(key, default)
        # A bool is an int to Python, but `rows: true` is a mistake.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(f"{key} must be {_KINDS[kind]}" + ("" if key in self.value else ", but is missing"))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        values = self.get(key, list)
        if not values or not all(isinstance(value, str) and value for value in values):
            raise self.wrong(f"{key} must be a list of texts")
        return tuple(values)

    def counts(self, key: str) -> Mapping[int, int] | None:
        if self.value.get(key) is None:
            return None
        node = self.child(key)
        if not all(type(k) is int and type(n) is int and n >= 0 for k, n in node.value.items()):
            raise node.wrong("whole numbers are needed on both sides")
        return dict(sorted(node.value.items()))

    def count(self, key: str) -> int | None:
        if self.value.get(key) is None:
            return None
        number = self.get(key, int)
        if number < 0:
            raise self.wrong(f"{key} is negative")
        return number

    def digest(self, key: str) -> str | None:
        if self.value.get(key) is None:
            return None
        return self.sha256(self.get(key, str), key)

    def sha256(self, text: Any, key: str) -> str:
        if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
            raise self.wrong(f"{key}: a sha256 has 64 hexadecimal digits")
        return text


_KINDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "a mapping"}
_COUNTS = tuple(field.name for field in fields(Expected))
_ENTRY = tuple(f.name for f in fields(DataSet) if f.name not in ("name", "terms_short", "expected"))


def _dataset(name: str, node: _Node) -> DataSet:
    node.only(*_ENTRY, "counts", "files", "query_sizes")
    terms = node.child("terms")
    terms.only("short", "text")
    counts = node.child("counts")
    counts.only(*_COUNTS)
    files, parts = node.child("files"), node.child("parts")
    page = node.get("page", str)
    if not page.startswith(("https://", "http://")):
        raise node.wrong("page must be a web address")
    suffix = node.get("query_sizes", str, "")
    result = DataSet(
        name=name,
        page=page,
        terms_short=terms.get("short", str),
        terms=terms.get("text", str),
        cite=node.texts("cite"),
        folders=node.texts("folders"),
        parts={k: _part(k, parts.child(k), files, counts, suffix) for k in parts.value},
        features=node.get("features", int),
        dense=node.get("dense", bool),
        max_label=node.get("max_label", int),
        once=node.texts("once"),
        expected=_expected(counts, counts),
        archives=_named(node, "archives", node.sha256),
        download=_named(node, "download", lambda url, _: str(url)),
        package=_package(node),
        **{key: node.get(key, str) for key in ("title", "about", "publisher", "obtain")},
        **{key: node.get(key, str, "") for key in ("prefer", "standin")},
    )
    _check(result, node)
    return result


def _package(node: _Node) -> Package | None:
    if "package" not in node.value:
        return None
    package = node.child("package")
    package.only("name", "version", "sha256")
    return Package(
        package.get("name", str), package.get("version", str), package.sha256(package.value.get("sha256"), "sha256")
    )


def _named(node: _Node, key: str, convert: Any) -> Mapping[str, str]:
    entries = node.child(key).value if key in node.value else {}
    return {str(name): convert(value, str(name)) for name, value in entries.items()}


def _part(name: str, node: _Node, files: _Node, counts: _Node, suffix: str) -> Part:
    node.only(*_COUNTS, "sha256", "query_sizes_sha256")
    fold, _, last = name.rpartition("/")
    if last not in ROLES:
        raise node.wrong(f"the name of a part ends in one of {', '.join(ROLES)}")
    return Part(
        name=name,
        role=ROLES[last],
        files=tuple(pattern.replace("{fold}", fold) for pattern in files.texts(last)),
        expected=_expected(node, counts),
        sha256=node.digest("sha256"),
        query_sizes=suffix,
        query_sizes_sha256=node.digest("query_sizes_sha256"),
    )


def _expected(node: _Node, counts: _Node) -> Expected:
    """Counts of one block; source and author are the data set's unless the block has its own."""
    origin = node if "source" in node.value else counts
    source = origin.get("source", str)
    by = origin.get("by", str, "")
    if source not in ("counted", "published"):
        raise origin.wrong("source must be counted or published")
    if source == "published" and not by:
        raise origin.wrong("who published the counts? (by)")
    documents = node.value.get("documents")
    if documents is not None and not (isinstance(documents, list) and len(documents) == 3):
        raise node.wrong("documents must be [minimum, median, maximum]")
    expected = Expected(
        source=cast(Literal["counted", "published"], source),
        by=by,
        rows=node.count("rows"),
        queries=node.count("queries"),
        labels=node.counts("labels"),
        empty=node.count("empty"),
        shorter=node.counts("shorter"),
        documents=None if documents is None else (documents[0], documents[1], documents[2]),
    )
    if expected.labels is not None and sum(expected.labels.values()) != expected.rows:
        raise node.wrong("the label histogram does not add up to the rows")
    if expected.shorter is not None and list(expected.shorter.values()) != sorted(expected.shorter.values()):
        raise node.wrong("shorter must not fall as k grows")
    return expected


def _check(entry: DataSet, node: _Node) -> None:
    if unknown := [name for name in entry.once if name not in entry.parts]:
        raise node.wrong(f"once names unknown parts: {', '.join(unknown)}")
    for name, expected in [(entry.name, entry.expected), *((p.name, p.expected) for p in entry.parts.values())]:
        if expected.labels and max(expected.labels) > entry.max_label:
            raise node.wrong(f"{name}: a label is above max_label")
    for what in ("rows", "queries", "empty"):
        numbers = [getattr(entry.parts[name].expected, what) for name in entry.once]
        whole = getattr(entry.expected, what)
        if whole is not None and None not in numbers and sum(numbers) != whole:
            raise node.wrong(f"the parts of once have {sum(numbers)} {what} together, not {whole}")
    ours = {name for part in entry.parts.values() for name, _ in part.known_files()}
    if entry.download and set(entry.download) != ours:
        raise node.wrong("download must name every file, or be left out")
    for url in entry.download.values():
        if not url.startswith(("https://", "http://")):
            raise node.wrong("download needs web addresses")
