"""``ltrlib record``: make, list and check the recorded results of the book."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from ltrlib.cli.cluster_help import CLUSTER

if TYPE_CHECKING:
    from ltrlib.records.making import Run

HELP = "make the recorded results of the book again, list them, or check them"

EPILOG = f"""\
A record is a table in data/results/ with a file that says how it was made. NAME is a record (koppel2019/grid) or a
folder of records (koppel2019); --all makes every one from raw data. Each piece of work is kept as soon as it is done:
after any interruption, run the same command again, and it does what is missing. --check repeats pieces without keeping
them and compares them with the record, bit by bit; with --minutes N it checks as many as fit into that time. If the
code behind a record has changed and a twentieth of the pieces, five at least, still come out the same, --note adds that
to its provenance, and the record is current again by that proof.

{CLUSTER}"""


_SHOWN = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME", help="a record, or a folder of records")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="show each record: state, age, cost, what it depends on")
    what.add_argument("--check", action="store_true", help="repeat pieces and compare them with the record")
    parser.add_argument("--note", action="store_true", help="with --check: note in the record that it is the same")
    parser.add_argument("--all", action="store_true", help="every record of the book")
    parser.add_argument("--stale", action="store_true", help="every record that is missing or made by other code")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, metavar="N", help="start no new piece after N minutes"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="work on this cluster; start no workers here")


def run(args: argparse.Namespace) -> int:
    """Make, list or check."""
    from ltrlib.errors import UsageError
    from ltrlib.project import need_checkout

    # First of all: what an extra would add would not help outside a checkout.
    need_checkout("a record")
    from ltrlib.records.making import all_runs, select

    if args.workers < 1:
        raise UsageError(f"{args.workers} workers cannot do anything", where="--workers", cure="give 1 or more")
    if not args.minutes > 0:
        raise UsageError("no time to do anything", where="--minutes", cure="give a number above 0")
    if args.note and not args.check:
        raise UsageError("nothing is checked that could be noted", where="--note", cure="add --check")
    runs = all_runs()
    chosen = select(runs, args.names) if args.names else runs
    if args.list:
        return _list(chosen)
    if not (args.names or args.all or args.stale):
        raise UsageError("say which record", cure="ltrlib record NAME, ltrlib record --all, or ltrlib record --list")
    if args.stale:
        chosen = [one for one in chosen if _state(one)[0] != "current"]
    # What is named by itself is tried in any case, and its error tells how to get the data.
    chosen = [one for one in chosen if any(table.name in args.names for table in one.tables) or _can_be_made(one)]
    return _check(chosen, args) if args.check else _make(chosen, args)


def _make(runs: list[Run], args: argparse.Namespace) -> int:
    from ltrlib.records.record import duration
    from ltrlib.records.working import make

    summary = make(
        runs,
        minutes=args.minutes,
        workers=args.workers,
        scheduler=args.scheduler,
        say=lambda line: print(line, flush=True),
    )
    for name, pieces in summary.left.items():
        print(f"{name}: {pieces} pieces left; the same command goes on" if pieces else f"{name}: waits for others")
    for name, why in summary.failed.items():
        print(f"{name}: not made. {why}")
    print(f"{len(summary.made)} records made, {duration(summary.seconds)} of work in them")
    return 1 if summary.failed else 0


def _check(runs: list[Run], args: argparse.Namespace) -> int:
    from ltrlib.errors import LtrlibError
    from ltrlib.records.checking import check, note_repetition

    bad = False
    able = [one for one in runs if not one.measures] if args.all or args.stale else runs
    for one in able:
        try:
            found = check(one, minutes=args.minutes / len(able))
        except LtrlibError as error:
            print(f"{one.name}: cannot be checked: {error}", flush=True)
            bad = True
            continue
        bad = bad or bool(found.unlike)
        number = len(found.unlike)
        verdict = f"{number:,} difference{'s' * (number > 1)}" if number else "the same as recorded"
        if args.note:
            verdict += f"; {note_repetition(one, found)}"
        print(f"{one.name}: {found.repeated} of {found.of} pieces done again: {verdict}", flush=True)
        for line in found.unlike[:_SHOWN]:
            print(f"    {line}", flush=True)
        if number > _SHOWN:
            print(f"    and {number - _SHOWN:,} more; the last: {found.unlike[-1]}", flush=True)
    return 1 if bad else 0


def _can_be_made(one: Run) -> bool:
    """Whether the data that a run needs are here; if not, say so."""
    from ltrlib.datasets.loading import is_here

    absent = [name for name in one.needs if not is_here(name)]
    if absent:
        print(f"{one.name}: left out, because it needs {' and '.join(absent)}", flush=True)
    return not absent


def _state(one: Run) -> tuple[str, str]:
    """State of the worst of a run's tables, and why."""
    from ltrlib.errors import RecordError

    proof = ""
    for table in one.tables:
        try:
            record = table.read()
        except RecordError as error:
            return "missing", error.what
        if changed := record.changes():
            more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
            return "stale", f"changed since: {', '.join(changed[:3])}{more}"
        if record.repeated:
            proof = "{} of {} pieces done again since: the same".format(*record.repeated)
    return "current", proof


def _list(runs: list[Run]) -> int:
    from ltrlib.records.definitions import find_code
    from ltrlib.records.record import duration

    for one in runs:
        state, why = _state(one)
        code = find_code(*(table.maker for table in one.tables))
        print(f"{one.name:44} {state}{': ' + why if why else ''}")
        others = [table.name for table in one.tables[1:]]
        if others:
            print(f"    with {', '.join(others)}")
        if state != "missing":
            record = one.tables[0].read()
            made = record.provenance
            data = dict.fromkeys(source["name"] for source in made["data"])
            age = f"made {made['made'][:10]}, {duration(record.work)} of work"
            print(f"    {age}, {len(one.pieces())} pieces" + (f", from {', '.join(data)}" if data else ""))
        after = f", after {', '.join(table.name for table in one.after)}" if one.after else ""
        print(f"    rests on {code.count} definitions in {len(code.definitions)} modules{after}")
    return 0
