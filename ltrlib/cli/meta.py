"""``ltrlib meta``: winning numbers and Pareto ranks of a user's own results."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "compare methods over your own results: winning numbers, Pareto ranks"

EPILOG = """\
RESULTS.csv has a header and the columns method, dataset, metric, value (others are ignored), one row per result; rows
without a value (empty or nan) are ignored. Higher is better and values are in [0, 1]; give --metric NAME for a metric
that ltrlib does not know. The command prints one row per method and metric, and one per method with the metric all: wn
(winning number), iwn (ideal winning number), nwn = wn / iwn, the number of data sets, and the Pareto rank (1 is the
front, where no method is at least as good on both axes and better on one). The axes are nwn and the number of data
sets; for all, nwn and iwn. If two values are equal, neither wins. A method that was never compared has no nwn and no
rank; a data set with one method does not count.

--iwn says what a method could have won on a data set. formula: against every other method there, as Tax et al. (2015)
print it. reached: as often as the most successful method there, as the program behind their Table B.6 counted; that is
less where methods tie for first. The formula is the default because it is the published definition and depends only on
who was compared, not on the values; use reached to get Table B.6 exactly. As CSV, a name that a spreadsheet program
would take for a formula has an apostrophe in front.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("results", metavar="RESULTS.csv", type=Path, help="the results")
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table", help="default: %(default)s")
    parser.add_argument(
        "--iwn",
        choices=("formula", "reached"),
        default="formula",
        help="what could have been won: against all others, or the most that was reached (default: %(default)s)",
    )
    parser.add_argument(
        "--metric",
        metavar="NAME",
        action="append",
        default=[],
        help="a metric for which higher is better, with any values (may be repeated)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from ltrlib.comparison.meta import meta_table, meta_text

    print(meta_text(meta_table(args.results, iwn=args.iwn, declared_metrics=args.metric), args.format))
    return 0
