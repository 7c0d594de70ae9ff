"""``ltrlib data``: which data sets are here, are they right, how to get the others."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ltrlib.datasets.checking import CheckReport
    from ltrlib.datasets.importing import ImportReport

HELP = "list, show, check, import and get data sets"

_WIDTH = 110


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, title="actions")
    actions.add_parser("list", help="every data set: where it is, how large, under which terms")
    for action, text in (
        ("show", "what a data set is, what it holds, how to get it"),
        ("check", "verify the files: checksums, format, counts"),
        ("import", "verify a downloaded archive or folder and copy it to where data sets are kept"),
        ("get", "download it, or say what to accept and where"),
    ):
        sub = actions.add_parser(action, help=text, description=text)
        sub.add_argument("name", metavar="NAME", help="name of the data set, as in ltrlib data list")
        if action == "check":
            sub.add_argument("--format", choices=("text", "json"), default="text", help="how to print (text)")
        if action == "import":
            sub.add_argument("path", metavar="PATH", type=Path, help="a folder, zip or tar file")
        if action in ("import", "get"):
            sub.add_argument("--replace", action="store_true", help="replace the copy that is kept already")
        if action == "get":
            sub.add_argument(
                "--accept", action="store_true", help="accept the terms that are shown without being asked"
            )


def run(args: argparse.Namespace) -> int:
    """Do one action."""
    actions = {"list": _list, "show": _show, "check": _check, "import": _import, "get": _get}
    return actions[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from ltrlib.datasets.locate import find_or_none
    from ltrlib.datasets.registry import datasets
    from ltrlib.project import mistyped_data_paths

    rows = [["name", "queries", "rows", "features", "terms", "where"]]
    for entry in datasets().values():
        place = find_or_none(entry.name)
        where = "missing" if place is None else str(place)
        if place and place.missing:
            where += f" ({len(place.missing)} files missing)"
        numbers = [f"{number:,}" for number in (entry.expected.queries, entry.expected.rows, entry.features)]
        rows.append([entry.name, *numbers, entry.terms_short, where])
    _print_table(rows, right=(1, 2, 3))
    for problem in mistyped_data_paths():
        print(f"NOTE  {problem}", file=sys.stderr)
    return 0


def _show(args: argparse.Namespace) -> int:
    from ltrlib.datasets.registry import dataset
    from ltrlib.extras import missing_extra
    from ltrlib.project import data_search_path, shown_path

    entry = dataset(args.name)
    direct = bool(entry.download or entry.package)
    print(f"{entry.title}\n{'=' * len(entry.title)}")
    print(_wrapped(entry.about))
    print()
    for label, text in (
        ("publisher", entry.publisher),
        ("page", entry.page),
        ("terms", entry.terms),
        ("cite", ", ".join(entry.cite)),
        (
            "to get it",
            f"{'' if direct else entry.obtain + ' '}Command: {_command(entry.name, direct)}",
        ),
        ("stand-in", entry.standin or "none"),
        ("numbers", entry.expected.by or "counted from the files with the checksums in data/registry.yml"),
        ("folder", f"{' or '.join(entry.folders)}, in LTRLIB_DATA or {shown_path(data_search_path()[-1])}"),
    ):
        print(_wrapped(f"{label:<11}{text}", indent=11))
    try:
        from ltrlib.datasets.cards import card
    except ModuleNotFoundError as error:
        print(f"\nThe tables of counts: {missing_extra(error) or error}")
        return 0
    shown = card(args.name)
    for table in (shown.counts, shown.labels, shown.documents, shown.parts):
        if len(table):
            print()
            rows = [list(table.columns), *table.astype(str).to_numpy().tolist()]
            right = [i for i, column in enumerate(rows[0]) if i and column != "verdict"]
            _print_table([[cell.strip("`") for cell in row] for row in rows], right)
    return 0


def _command(name: str, direct: bool) -> str:
    return f"ltrlib data get {name}" if direct else f"ltrlib data import {name} PATH"


def _check(args: argparse.Namespace) -> int:
    from ltrlib.datasets.checking import check
    from ltrlib.datasets.locate import find_or_none, missing
    from ltrlib.datasets.registry import dataset

    place = find_or_none(args.name)
    if place is None:
        raise missing(dataset(args.name))
    report = check(place)
    if args.format == "json":
        _print_json(report)
    else:
        print(f"{args.name} in {place}")
        _print_report(report)
    return int(not report.ok)


def _print_json(report: CheckReport) -> None:
    import json
    from dataclasses import asdict

    content = {
        "name": report.place.entry.name,
        "path": str(report.place),
        "ok": report.ok,
        "files": [asdict(file) for file in report.files],
        "counts": [{**asdict(number), "ok": number.ok} for number in report.counts],
    }
    print(json.dumps(content, indent=2))


def _print_report(report: CheckReport) -> None:
    from ltrlib.datasets.checking import WHOLE

    width = max(len(file.verdict) for file in report.files)
    for file in report.files:
        print(f"{file.verdict:<{width}}  {file.file}")
        if file.detail:
            print(textwrap.indent(file.detail, "    "))
    different = [number for number in report.counts if not number.ok]
    for number in different:
        expected = _shown(number.expected)
        print(f"DIFFERS  {number.part}, {number.what}: {number.source} {expected}; here {_shown(number.counted)}")
    for number in report.counts:
        if number.part == WHOLE and number.ok:
            print(f"OK  {WHOLE}, {number.what}: {_shown(number.counted)} ({number.source})")
    good = sum(file.ok for file in report.files)
    same = len(report.counts) - len(different)
    print(f"{good} of {len(report.files)} files, {same} of {len(report.counts)} counts as in the registry")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {number:,}" for key, number in value.items()) or "none"
    if isinstance(value, tuple):
        return ", ".join(f"{number:,g}" for number in value)
    return f"{value:,}"


def _import(args: argparse.Namespace) -> int:
    from ltrlib.datasets.importing import import_dataset
    from ltrlib.datasets.registry import dataset

    entry = dataset(args.name)
    with _keeping():
        report = import_dataset(entry, args.path, replace=args.replace)
    _print_import(report, args.path)
    return 0


def _get(args: argparse.Namespace) -> int:
    from ltrlib.datasets.fetch import get, instructions, terms
    from ltrlib.datasets.locate import find_or_none
    from ltrlib.datasets.registry import dataset

    entry = dataset(args.name)
    place = find_or_none(args.name)
    if place and not place.missing and not args.replace:
        print(f"{args.name} is here already: {place}")
        return 0
    if not entry.download and entry.package is None:
        print(instructions(entry))
        return 1
    print(terms(entry))
    if entry.package is not None and not (args.accept or _agreed()):
        print(f"nothing was downloaded; ltrlib data get {entry.name} --accept does it", file=sys.stderr)
        return 1
    with _keeping():
        report = get(entry, replace=args.replace)
    _print_import(report, None)
    return 0


@contextmanager
def _keeping() -> Iterator[None]:
    """Say where data sets are kept, and how to choose another place, when nothing can be written there."""
    from ltrlib.errors import LtrlibError
    from ltrlib.project import IN_CHECKOUT, data_search_path

    kept = data_search_path()[-1]
    try:
        yield
    except OSError as error:
        # Above it, too: the folder itself may not be there yet.
        if error.filename is None or not str(kept).startswith(str(error.filename)):
            raise
        why = (error.strerror or str(error)).lower()
        cure = "ask for the right to write there" if IN_CHECKOUT else "set XDG_DATA_HOME to a folder of your own"
        raise LtrlibError(f"data sets cannot be kept there: {why}", where=kept, cure=cure) from None


def _agreed() -> bool:
    if not sys.stdin.isatty():
        return False
    try:
        return input("accept these terms? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _print_import(report: ImportReport, source: Path | None) -> None:
    _print_report(report.check)
    name = report.check.place.entry.name
    if not report.check.ok:
        print(f"NOTE  these are not the numbers that were published for {name}; is it the whole data set?")
    print(f"{name} is now in {report.folder}")
    for other in report.others:
        print(f"{source} holds {other} too: ltrlib data import {other} {source}")


def _print_table(rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            f"{cell:>{w}}" if i in right else f"{cell:<{w}}"
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def _wrapped(text: str, indent: int = 0) -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
