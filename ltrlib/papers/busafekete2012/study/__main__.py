"""Record the study of Busa-Fekete et al. (2012) under ``data/results/busafekete2012/``, or check a part of the record.

Each training is kept as soon as it is done, so that a run that was stopped goes on where it was. For MQ2008 all of it
takes about half an hour on one core. With --check nothing is kept or recorded: what is named is trained anew and
compared with the record; the exit code is 1 if it differs.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence

from ltrlib.errors import UsageError
from ltrlib.papers.busafekete2012.study.checking import check_against_record
from ltrlib.papers.busafekete2012.study.conventions import CONVENTIONS, HALVES, PAPER
from ltrlib.papers.busafekete2012.study.runs import FOLDS, SEEDS, Plan, record
from ltrlib.papers.busafekete2012.study.training import LEARNERS


def main(argv: Sequence[str] | None = None) -> int:
    """Record or check."""
    parser = argparse.ArgumentParser(prog="python -m ltrlib.papers.busafekete2012.study", description=__doc__)
    parser.add_argument("--dataset", default="mq2008", help="default: %(default)s")
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=LEARNERS, metavar="L", help="default: all")
    parser.add_argument("--folds", nargs="+", type=int, default=FOLDS, metavar="N", help="default: 1 to 5")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS, metavar="N", help="default: 1 to 5")
    trained = (*PAPER, *HALVES)
    parser.add_argument(
        "--conventions", nargs="+", choices=CONVENTIONS, default=trained, metavar="C", help="default: all"
    )
    parser.add_argument(
        "--layouts",
        nargs="+",
        metavar="UxL",
        help="RankNet's layouts to try: units x layers, such as 100x2 (default: all)",
    )
    parser.add_argument("--restarts", type=int, metavar="N", help="of CoordinateAscent (default: the paper's 30)")
    parser.add_argument("--check", action="store_true", help="train anew and compare with the record")
    args = parser.parse_args(argv)
    layouts = [_layout(text) for text in args.layouts or ()]
    grids = {"RankNet": {"hidden": layouts}} if layouts else {}
    changes = {"CoordinateAscent": {"restarts": args.restarts}} if args.restarts else {}
    plan = Plan(args.dataset, args.learners, args.folds, args.seeds, args.conventions, changes=changes, grids=grids)
    if args.check:
        problems = check_against_record(plan)
        print("\n".join(problems) or "the same as recorded")
        return 1 if problems else 0
    command = shlex.join(
        ["python", "-m", "ltrlib.papers.busafekete2012.study", *(sys.argv[1:] if argv is None else argv)]
    )
    for one in record(plan, command=command):
        print(one.describe())
    return 0


def _layout(text: str) -> tuple[int, ...]:
    units, _, layers = text.partition("x")
    if not units.isdecimal() or not layers.isdecimal():
        raise UsageError(f"{text!r} is no layout", cure="write units x layers, such as 100x2")
    return (int(units),) * int(layers)


if __name__ == "__main__":
    sys.exit(main())
