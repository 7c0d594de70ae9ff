"""``ltrlib bagplot``: the bagplot of points in the plane, as numbers."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

HELP = "compute the bagplot of points: depth median, bag, fence, loop, outliers"

EPILOG = """\
POINTS.csv has a header and two columns of numbers. As JSON: center [x, y]; depths, the halfspace depth of each point
in the order of the file; bag, fence and loop, lists of corners; type of each point: 0 the centre, 1 in the bag, 2 in
the fence, 3 outlier; outliers, their positions counted from 0. If all points are on one line, bag, fence and loop have
two corners; if all are equal, one. Everything is exact: each point gets its depth from a sort of all others around it,
so time grows with a little more than the square of their number; at most 20,000 are allowed.
"""

MOST_POINTS = 20_000
"""More would take longer than anybody waits."""

_WORDS = ("center", "bag", "fence", "outlier")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("points", metavar="POINTS.csv", type=Path, help="the points")
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    """Print the bagplot."""
    from ltrlib.comparison.bagplot import bagplot
    from ltrlib.comparison.reading import read_points
    from ltrlib.errors import DataFormatError

    points = read_points(args.points)
    if not len(points):
        raise DataFormatError("no point behind the header", where=args.points, cure="give at least one point")
    if len(points) > MOST_POINTS:
        what = f"{len(points):,} points are more than {MOST_POINTS:,}: time grows with the square of their number"
        raise DataFormatError(
            what, where=args.points, cure="draw a sample of some thousand; its bag is nearly the same"
        )
    drawn = bagplot(points)
    if args.format == "json":
        print(json.dumps(drawn.to_dict()))
        return 0
    print(f"center {drawn.center[0]:.6g} {drawn.center[1]:.6g}")
    print(f"{'point':>5} {'x':>12} {'y':>12} {'depth':>5} type")
    for i, ((x, y), depth, kind) in enumerate(zip(drawn.points, drawn.depths, drawn.types, strict=True)):
        print(f"{i:>5} {x:>12.6g} {y:>12.6g} {depth:>5} {_WORDS[kind]}")
    return 0
