"""``ltrlib compare``: a user's results in Table B.6, or among what shares their convention."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "where does my method stand in Table B.6 (87 methods, 1,050 results)?"

EPILOG = """\
RESULTS.csv has a header and the columns method, dataset, metric, value, one row per result:

  method,dataset,metric,value
  MyRanker,LETOR 4.0 MQ2008,NDCG@10,0.231

Metrics are those of Table B.6: NDCG@3, NDCG@5, NDCG@10, MAP. Data sets are named as there (ltrlib results list);
MQ2008 alone is enough, OHSUMED alone is not: it is in LETOR 2.0 and 3.0. data/examples/my-method.csv is an example.

Which tool? On LETOR, Table B.6 has NDCG by LETOR's own evaluation tool, and a value is taken to be that unless said
otherwise. Score your ranking by it: ltrlib eval --metric ndcg@10:letor4 ... If you have only the number of another
tool, name the tool: --convention ranklib, a column convention, or NDCG@10:ranklib. Table B.6 cannot take such a number
(NDCG@10 on MQ2008 is about 0.23 by LETOR's tool and 0.50 by RankLib for one and the same ranking), but it is placed
among the book's own runs and later results by the same tool. MAP is the same by LETOR's tool and RankLib, and is taken.
On MSLR, Yahoo!, AOL and WCL2R the sources of Table B.6 do not state their convention, so results there are placed
among later ones of the named convention; --unstated counts them in Table B.6 all the same.

The command prints the new row (NWN and data sets per metric; WN, IWN, NWN, place), the methods that dominate it, the
place of each result, and how many other rows change. --iwn formula is the published definition; --iwn reached gives
the other rows exactly as Table B.6 prints them. --without-doubt leaves out results that are in doubt; ltrlib results
doubts lists the codes.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("results", metavar="RESULTS.csv", type=Path, help="your results")
    parser.add_argument("--convention", metavar="TOOL", help="the tool behind values that name none, such as ranklib")
    parser.add_argument(
        "--among",
        choices=("b6", "continued"),
        default="b6",
        help="Table B.6 as it is, or continued with later results and our own runs (default: %(default)s)",
    )
    parser.add_argument(
        "--iwn",
        choices=("formula", "reached"),
        default="formula",
        help="what could have been won: against all others, or the most that was reached (default: %(default)s)",
    )
    parser.add_argument(
        "--without-doubt",
        metavar="CODE",
        action="append",
        default=[],
        help="leave out the results behind Table B.6 with this doubt (may be repeated), or all",
    )
    parser.add_argument(
        "--unstated",
        action="store_true",
        help="also count results where the sources of Table B.6 do not state their convention",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: %(default)s")
    parser.add_argument("--output", metavar="PAGE.html", type=Path, help="also write a page with an interactive figure")


def run(args: argparse.Namespace) -> int:
    """Compare, write the page if wanted, print the answer."""
    from ltrlib.atomic import new_file

    if args.output is not None:
        _check_output(args.output, args.results)
    from ltrlib.across.standing.page import standing_page
    from ltrlib.across.standing.report import as_json, as_text
    from ltrlib.across.standing.standing import place_among
    from ltrlib.published.tables import load_table

    doubts = args.without_doubt
    if "all" in doubts:
        doubts = list(load_table("tax2015", "doubts").rows)
    standing = place_among(
        args.results,
        convention=args.convention,
        among=args.among,
        iwn=args.iwn,
        without_doubts=doubts,
        unstated=args.unstated,
    )
    if args.output is not None:
        page = standing_page(standing).encode()
        with new_file(args.output) as file:
            file.write(page)
    print(as_json(standing) if args.format == "json" else as_text(standing))
    if args.format == "text":
        print(
            f"\nopen {args.output}" if args.output else "\n--output page.html writes all rows and an interactive figure"
        )
    return 0


def _check_output(output: Path, results: Path) -> None:
    """Refuse early what cannot be written, or must not be."""
    from ltrlib.atomic import refuse_input
    from ltrlib.errors import UsageError

    refuse_input(output, results)
    if not output.parent.is_dir():
        raise UsageError("there is no such folder", where=output.parent, cure="make it, or choose another --output")
    if output.is_dir():
        raise UsageError("this is a folder", where=output, cure="name the page too: --output comparison.html")
