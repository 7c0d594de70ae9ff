"""``ltrlib compare``: a user's results among those that the book holds."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

HELP = "where does my method stand? your results among published ones and our runs"

EPILOG = """\
RESULTS.csv has a header and the columns method, dataset, metric, value, one row per result; see the example
data/examples/my-method.csv. The metrics are those of Table B.6: NDCG@3, NDCG@5, NDCG@10, MAP, by the evaluation script
of the data set's collection (LETOR 4.0's for MQ2008). Write NDCG@10:letor4 to say which tool was used; a tool that
scores otherwise is refused. Printed is one row of Table B.6 per method; the page shows all methods and the interactive
Figure 5, and needs no other file. The results behind Table B.6 itself were never published, so the rows are computed
against what the book holds; the page says exactly what that is.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("results", metavar="RESULTS.csv", type=Path, help="your results")
    parser.add_argument(
        "--output", metavar="PATH", type=Path, default=Path("comparison.html"), help="the page; default: %(default)s"
    )


def run(args: argparse.Namespace) -> int:
    """Compare, write the page, print the new rows."""
    from ltrlib.atomic import new_file, refuse_input
    from ltrlib.errors import UsageError

    refuse_input(args.output, args.results)
    if not args.output.parent.is_dir():
        raise UsageError(
            "there is no such folder", where=args.output.parent, cure="make it, or choose another --output"
        )
    if args.output.is_dir():
        raise UsageError("this is a folder", where=args.output, cure="name the page too: --output comparison.html")
    from ltrlib.across.standing.page import standing_page
    from ltrlib.across.standing.standing import place_among

    standing = place_among(args.results)
    page = standing_page(standing).encode()
    with new_file(args.output) as file:
        file.write(page)
    table = standing.table()
    yours = table[table["method"].isin(standing.methods)]
    for row in yours.to_dict("records"):
        print(row.pop("method"))
        for name, value in row.items():
            shown = value if not isinstance(value, float) else "–" if math.isnan(value) else f"{value:.4f}"
            print(f"  {name:14} {shown}")
    print(f"{len(table)} methods compared; open {args.output}")
    return 0
