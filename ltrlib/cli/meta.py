"""``ltrlib meta``: winning numbers and Pareto ranks of a user's own results."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

HELP = "compare methods over your own results: winning numbers, Pareto ranks"

EPILOG = """\
RESULTS.csv has a header and the columns method, dataset, metric, value (others are ignored), one row per result; an
empty value is no result. Higher is better and values are in [0, 1]; say --metric NAME for a metric that ltrlib does
not know. Printed are one row per method and metric and one per method with the metric all: wn (winning number), iwn
(ideal winning number), nwn = wn / iwn, the number of data sets, and the Pareto rank (1 is the front, where no method
is at least as good on both axes and better on one). The axes are nwn and the number of data sets, for all nwn and iwn.
Equal values win neither way. A method that was never compared has no nwn and no rank.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.add_argument("results", metavar="RESULTS.csv", type=Path, help="the results")
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table", help="default: %(default)s")
    parser.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        default=[],
        help="a metric for which higher is better, with any values (may be repeated)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from ltrlib.comparison.pareto import add_pareto_ranks
    from ltrlib.comparison.reading import read_results
    from ltrlib.comparison.winning import winning_numbers
    from ltrlib.errors import DataFormatError

    results = read_results(args.results)
    if results["value"].isna().all():
        raise DataFormatError("no result behind the header", where=args.results, cure="give one row per result")
    ranked = add_pareto_ranks(winning_numbers(results, declared_metrics=args.metric, source=args.results))
    if args.format == "csv":
        ranked.to_csv(sys.stdout, index=False, lineterminator="\n")
    elif args.format == "json":
        objects = ranked.astype(object)
        rows = objects.where(ranked.notna(), None).to_dict("records")
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        ranks = ranked["pareto_rank"].astype("str").fillna("-")
        print(ranked.assign(pareto_rank=ranks).to_string(index=False, na_rep="-", float_format="%.4f"))
    return 0
