"""Data cards: what a page tells about a data set, all from the registry or counted here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from ltrlib.datasets.checking import compare
from ltrlib.datasets.entries import DataSet
from ltrlib.datasets.loading import find, is_here, read_part
from ltrlib.datasets.registry import dataset, datasets
from ltrlib.datasets.statistics import SHORT_UP_TO, Counts, count

__all__ = ["Card", "all_cards", "card", "markdown", "overview", "sections"]

NONE = "–"
_LEVELS = {"min": 0.0, "5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95, "max": 1.0}

_COUNTED = {
    "queries": "queries",
    "rows": "documents",
    "features": "features",
    "empty": "queries without a relevant document",
    "shorter": f"queries with fewer than {SHORT_UP_TO} documents",
    "documents": "documents per query: min, median, max",
}


@dataclass(frozen=True)
class Card:
    """Everything that a page shows about a data set, as tables of formatted text.

    Parameters
    ----------
    entry
        The data set in the registry.
    identity
        Two columns: what, and the answer in Markdown.
    counts
        What the registry expects, who says so, what was counted here, and a verdict by shape and word.
    labels
        Documents and share per label; empty when nobody knows.
    documents
        Quantiles of the documents per query and queries shorter than k; empty when the set is not here.
    parts
        Queries, documents and the begin of the checksum per file.
    counted
        The numbers behind it for plots; None when the set is not here.

    Examples
    --------
    >>> card("mslr-web30k").identity.iloc[0, 1]
    '`mslr-web30k`'
    """

    entry: DataSet
    identity: pd.DataFrame
    counts: pd.DataFrame
    labels: pd.DataFrame
    documents: pd.DataFrame
    parts: pd.DataFrame
    counted: Counts | None

    def markdown(self) -> str:
        """Return the card as MyST Markdown, without a heading."""
        return f"{self.entry.about}\n\n{self.tables()}"

    def tables(self) -> str:
        """Return the tables of the card as MyST Markdown."""
        tables = [self.identity, self.counts]
        tables += [table for table in (self.labels, self.documents) if len(table)]
        blocks = [_table(table) for table in tables]
        folded = f":::{{dropdown}} The {len(self.parts)} files\n{_table(self.parts)}\n:::"
        return "\n\n".join([*blocks, folded])


def markdown(name: str) -> str:
    """Return the card of a data set as MyST Markdown, without a heading.

    Examples
    --------
    >>> print(markdown("yahoo-set1").splitlines()[0])
    Judged queries of a commercial web search engine in the United States, rank-normalised features.
    """
    return card(name).markdown()


def card(name: str) -> Card:
    """Make the card of a data set; what is on this machine is counted.

    Examples
    --------
    >>> card("yahoo-set2").parts["queries"].tolist()
    ['1,266', '1,266', '3,798']
    """
    entry = dataset(name)
    counted = None
    if is_here(name):
        place = find(name)
        counted = count(*(read_part(place, entry.parts[part]) for part in entry.once))
    return Card(
        entry=entry,
        identity=_identity(entry, counted),
        counts=_counts(entry, counted),
        labels=_labels(entry, counted),
        documents=_documents(counted),
        parts=_parts(entry),
        counted=counted,
    )


def all_cards() -> list[Card]:
    """Make the cards of all data sets of the registry, in its order."""
    return [card(name) for name in datasets()]


def overview(cards: Sequence[Card]) -> pd.DataFrame:
    """One row per data set: sizes, and the share of queries on which tools disagree; counted here, or as published.

    Examples
    --------
    >>> overview([card("yahoo-set2")])["queries"].tolist()
    ['6,330']
    """
    rows = []
    for one in cards:
        known, counted = one.entry.expected, one.counted
        queries = counted.queries if counted else known.queries
        empty, shorter = (getattr(counted or known, name) for name in ("empty", "shorter"))
        labels = counted.labels if counted else known.labels
        short = shorter.get(SHORT_UP_TO, 0) if isinstance(shorter, Mapping) else shorter
        rows.append(
            {
                "data set": f"[{one.entry.title}](#{_anchor(one)})",
                "queries": _show(queries),
                "documents": _show(counted.rows if counted else known.rows),
                "features": _show(one.entry.features),
                "labels": f"{min(labels)} to {max(labels)}" if labels else NONE,
                "nothing relevant": _share(empty, queries),
                f"fewer than {SHORT_UP_TO} documents": _share(short, queries),
                "here": "yes" if counted else "no",
            }
        )
    return pd.DataFrame(rows)


def sections(cards: Sequence[Card]) -> str:
    """Each data set in a section of its own, what is long folded, as MyST Markdown."""
    return "\n\n".join(
        f"({_anchor(one)})=\n## {one.entry.title}\n\n{one.entry.about}\n\n"
        f"::::{{dropdown}} Terms, how to get it, and every count\n{one.tables()}\n::::"
        for one in cards
    )


def _anchor(one: Card) -> str:
    return f"data-{one.entry.name.replace('/', '-')}"


def _share(part: float | None, whole: float | None) -> str:
    return NONE if part is None or not whole else f"{100 * part / whole:.1f}%"


def _identity(entry: DataSet, counted: Counts | None) -> pd.DataFrame:
    expected = entry.expected
    known = sum(part.sha256 is not None for part in entry.parts.values())
    direct = f"`ltrlib data get {entry.name}`"
    rows = [
        ("name", f"`{entry.name}`"),
        ("publisher", f"[{entry.publisher}]({entry.page})"),
        ("terms", entry.terms),
        ("cite", ", ".join(f"{{cite:t}}`{key}`" for key in entry.cite)),
        ("numbers", expected.by if expected.by else "counted from the files with the checksums below"),
        ("files", f"{len(entry.parts)} ({', '.join(entry.folds) or 'no folds'}); checksums known: {known}"),
        (
            "to get it",
            direct
            if entry.download or entry.package
            else f"{entry.obtain} Then `ltrlib data import {entry.name} PATH`",
        ),
        ("stand-in", f"`{entry.standin}`" if entry.standin else "none"),
        ("on this machine", "yes, counted below" if counted else "no"),
    ]
    return pd.DataFrame(rows, columns=["what", "answer"])


def _counts(entry: DataSet, counted: Counts | None) -> pd.DataFrame:
    expected = entry.expected
    verdicts = {}
    if counted:
        verdicts = {check.what: check.ok for check in compare("", expected, counted)}
        verdicts["features"] = counted.features == entry.features
    rows = []
    for key, what in _COUNTED.items():
        verdict = "– nothing to compare" if counted else "– not here"
        if key in verdicts:
            verdict = "✓ same" if verdicts[key] else "✗ differs"
        known = entry.features if key == "features" else getattr(expected, key)
        rows.append((what, _show(known), _show(getattr(counted, key, None)), verdict))
    return pd.DataFrame(rows, columns=["what", f"registry ({expected.source})", "counted here", "verdict"])


def _labels(entry: DataSet, counted: Counts | None) -> pd.DataFrame:
    histogram = counted.labels if counted else entry.expected.labels
    if histogram is None:
        return pd.DataFrame()
    total = sum(histogram.values())
    rows = [(str(label), f"{rows:,}", f"{100 * rows / total:.1f}%") for label, rows in histogram.items()]
    return pd.DataFrame(rows, columns=["label", "documents", "share"])


def _documents(counted: Counts | None) -> pd.DataFrame:
    if counted is None:
        return pd.DataFrame()
    quantiles = dict(zip(_LEVELS, map(_show, counted.quantiles(list(_LEVELS.values()))), strict=True))
    return pd.DataFrame([{"what": "documents per query", **quantiles}])


def _parts(entry: DataSet) -> pd.DataFrame:
    rows = [
        (f"`{part.files[0]}`", _show(part.expected.queries), _show(part.expected.rows), (part.sha256 or NONE)[:12])
        for part in entry.parts.values()
    ]
    return pd.DataFrame(rows, columns=["file", "queries", "documents", "sha256 begins"])


def _show(value: float | tuple[float, ...] | Mapping[int, int] | None) -> str:
    if isinstance(value, Mapping):
        return _show(value.get(SHORT_UP_TO, 0))
    if isinstance(value, tuple):
        return ", ".join(map(_show, value))
    return NONE if value is None else f"{value:,.1f}".removesuffix(".0")


def _table(frame: pd.DataFrame) -> str:
    cells: list[list[str]] = frame.astype(str).to_numpy().tolist()
    rules = [
        "--:" if all(row[i][0].isdigit() or row[i] == NONE for row in cells) else ":--" for i in range(len(cells[0]))
    ]
    lines = [list(frame.columns), rules, *cells]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
