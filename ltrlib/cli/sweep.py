"""``ltrlib sweep``: a chapter at many settings of its parameters, on this machine or on a Dask cluster."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ltrlib.cli.cluster_help import CLUSTER

if TYPE_CHECKING:
    from ltrlib.sweeps.description import Sweep
    from ltrlib.sweeps.running import Mode
    from ltrlib.sweeps.store import Store

HELP = "run a chapter at many settings of its parameters, on this machine or on a cluster"

EPILOG = f"""\
FILE.yml names a chapter and a grid or a list of settings. ltrlib sweep --list shows the sweeps that come with the book;
give such a name instead of FILE.yml to run one. Results are kept in runs/NAME/: one folder per point, and one table of
all points (table.csv, table.parquet). After any interruption, run the same command again: it keeps the points that are
up to date and runs the rest. A point is out of date when the chapter's code, a module that it imported, a file that it
read or a package has changed. Files that compiled code reads go unnoticed: name them in FILE.yml (inputs:
[rows.parquet]). ltrlib sweep show NAME prints and plots the table.

{CLUSTER}"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", nargs="*", metavar="FILE.yml | show NAME", help="what to run, or what to show")
    parser.add_argument("--list", action="store_true", help="list the sweeps of the book and what has been run")
    parser.add_argument(
        "--dry-run", action="store_true", help="list the points and the time they may take; run nothing"
    )
    parser.add_argument("--workers", type=int, metavar="N", default=os.cpu_count() or 1, help="default: %(default)s")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="run on this cluster; start no workers here")
    parser.add_argument(
        "--mode",
        choices=("reuse", "overwrite", "error"),
        default="reuse",
        help="what to do with points that are up to date (default: %(default)s)",
    )
    parser.add_argument("--record", action="store_true", help="keep the whole table in data/results/sweeps/ as well")
    parser.add_argument(
        "--runs",
        type=Path,
        metavar="FOLDER",
        help="where results are kept (default: runs, in the checkout or else here)",
    )
    parser.add_argument("--metric", action="append", default=[], metavar="NAME", help="with show: only this number")


def run(args: argparse.Namespace) -> int:
    """Run, list or show."""
    from ltrlib.errors import UsageError
    from ltrlib.project import IN_CHECKOUT, need_checkout, runs_dir
    from ltrlib.sweeps.description import read_sweep
    from ltrlib.sweeps.store import Store

    runs = args.runs or runs_dir()
    match args.what:
        case ["show", name]:
            args.what = ["show", _described(name, runs)]
    if not IN_CHECKOUT:
        _need_own(args)
    if args.record:
        need_checkout("recording a sweep")
    if args.list:
        return _list(runs)
    match args.what:
        case [file] if file != "show":
            sweep = read_sweep(file)
            if args.workers < 1:
                raise UsageError(f"--workers {args.workers}", cure="at least 1")
            store = Store(runs / sweep.name, sweep.chapter)
            store.claim(sweep.path, take=False)
            _check_kernel(sweep)
            return _dry_run(sweep, store, args) if args.dry_run else _run(sweep, store, args)
        case ["show", file]:
            sweep = read_sweep(file)
            store = Store(runs / sweep.name, sweep.chapter)
            store.claim(sweep.path, take=False)
            return _show(sweep, store, args.metric)
    raise UsageError("say which sweep", cure="ltrlib sweep FILE.yml, ltrlib sweep show NAME, or ltrlib sweep --list")


def _described(name: str, runs: Path) -> str:
    """The file of a sweep that was run here, by its name; what is named where that does not help."""
    from ltrlib.sweeps.store import owner_of

    owner = None if Path(name).is_file() else owner_of(runs / name)
    return str(owner) if owner is not None and owner.is_file() else name


def _need_own(args: argparse.Namespace) -> None:
    """Raise where there are no sweeps of the book, unless one of the user's own is asked for."""
    from ltrlib.errors import UsageError
    from ltrlib.project import need_checkout

    named = args.what[-1] if args.what and args.what[-1] != "show" else ""
    if not args.list and named.endswith((".yml", ".yaml")) and not Path(named).exists():
        raise UsageError("there is no such file", where=named, cure="check the name")
    if args.what[:1] == ["show"] and named and not Path(named).is_file():
        raise UsageError("no sweep of this name was run here", where=named, cure="run it first: ltrlib sweep FILE.yml")
    if args.list or (named and not Path(named).is_file()):
        need_checkout("a sweep over a chapter of the book")


def _check_kernel(sweep: Sweep) -> None:
    """Raise when a notebook of the user's own does not say what it is to be run with: no point could be."""
    import json

    from ltrlib.errors import UsageError

    metadata = json.loads(sweep.chapter.notebook)["metadata"]
    kernel = metadata.get("kernelspec", {})
    if not kernel.get("name") or not (kernel.get("language") or metadata.get("language_info", {}).get("name")):
        raise UsageError(
            "the notebook does not say its language and kernel",
            where=sweep.chapter.path,
            cure="write kernelspec: {name: python3, language: python, display_name: Python 3} into its head",
        )


def _list(runs: Path) -> int:
    from ltrlib.errors import LtrlibError
    from ltrlib.sweeps.description import read_sweep, shipped_sweeps
    from ltrlib.sweeps.store import Store

    for path in shipped_sweeps():
        try:
            sweep = read_sweep(path)
        except LtrlibError as error:
            print(f"{path.stem}: {error}")
            continue
        store = Store(runs / sweep.name, sweep.chapter)
        kinds = [store.state(point).kind for point in sweep.points]
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        print(
            f"{sweep.name}: {sweep.about}\n    chapter {sweep.chapter.path.stem}, {len(sweep.points)} points: {counts}"
        )
    return 0


def _dry_run(sweep: Sweep, store: Store, args: argparse.Namespace) -> int:
    from ltrlib.sweeps.estimate import typical_seconds
    from ltrlib.sweeps.running import plan

    points, states = plan(sweep, store, args.mode)
    for point, state in states.items():
        words = "run" if point in points else "keep"
        reason = f": {state.why}" if state.why else ""
        print(f"{words:5} {point.key}  {point}  ({state.kind}{reason})")
    seconds = typical_seconds(store)
    if seconds is None:
        time = "how long is not known before one has been run"
    else:
        total = seconds * -(-len(points) // args.workers)
        time = f"about {_duration(total)} with {args.workers} worker{'s' * (args.workers > 1)}, at {seconds:.1f} s each"
    print(f"{len(points)} of {len(states)} points to run; {time}")
    return 0


def _run(sweep: Sweep, store: Store, args: argparse.Namespace) -> int:
    from ltrlib.errors import LtrlibError
    from ltrlib.sweeps.running import Summary, plan, run_sweep
    from ltrlib.sweeps.table import record_table, write_tables

    mode: Mode = args.mode
    with store.only_one():
        store.claim(sweep.path)
        points, states = plan(sweep, store, mode)
        for point in points:
            if states[point].kind == "stale":
                print(f"stale: {point} ({states[point].why})")
        summary = Summary(reused=len(states) - len(points))
        try:
            if points:
                summary = run_sweep(sweep, store, points, workers=args.workers, scheduler=args.scheduler)
        except (KeyboardInterrupt, LtrlibError, OSError):
            there = sum(store.state(point).kind == "done" for point in sweep.points)
            print(f"{there} of {len(states)} points are there; the same command does the rest", file=sys.stderr)
            raise
        table = write_tables(sweep, store)
    for point, error in summary.failed.items():
        print(f"failed: {point}: {error}\n    {store.folder / point.key}")
    print(
        f"{sweep.name}: {summary.done} done in {_duration(summary.seconds)}, {summary.reused} kept, "
        f"{len(summary.failed)} failed; {len(table)} rows in {store.folder / 'table.csv'}"
    )
    if summary.failed:
        return 1
    if args.record:
        record_table(sweep, store)
    return 0


def _show(sweep: Sweep, store: Store, metrics: list[str]) -> int:
    from ltrlib.atomic import new_file
    from ltrlib.errors import UsageError
    from ltrlib.plots import style
    from ltrlib.sweeps.figures import sweep_figure
    from ltrlib.sweeps.table import merge, one_row_per_point

    table = merge(sweep, store)
    if table.empty:
        raise UsageError("no point is up to date", where=store.folder, cure=f"ltrlib sweep {sweep.path}")
    known = list(table["metric"].unique())
    if unknown := [name for name in metrics if name not in known]:
        raise UsageError(f"there is no number {', '.join(unknown)}", cure=f"choose {', '.join(known)}")
    rows = one_row_per_point(table, metrics or known)
    print(rows.to_string(index=False, float_format="%.4f"))
    if missing := len(sweep.points) - len(rows):
        print(f"{missing} of {len(sweep.points)} points are not there or not up to date")
    style.apply()
    figure, _ = sweep_figure(rows, parameters=sweep.varied, metrics=metrics or known)
    path = store.folder / "table.png"
    with new_file(path) as file:
        figure.savefig(file, format="png", dpi=150, bbox_inches="tight")
    print(f"plot: {path}\nexecuted notebooks: {store.folder}/POINT/notebook.ipynb")
    return 0


def _duration(seconds: float) -> str:
    minutes = seconds / 60
    return f"{seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"
