"""``ltrlib identify``: which tool, cut-off and preprocessing give a ranking this number."""

from __future__ import annotations

import argparse

from ltrlib.cli.ranking_input import add_ranking_options, ranking_name, read_ranking
from ltrlib.errors import UsageError

HELP = "which NDCG is this? the tools, cut-offs and preprocessing that give a printed number"

_EPILOG = """\
--value is the number as printed: 0.4970 says more than 0.497; 49.7% is understood. Whatever rounds to it fits.

The command tries the NDCGs of all tools, with their documented options and at the usual cut-offs, on the data as they
are and after one step of common preprocessing: labels binarised at 1 or at 2, queries without relevant documents
dropped, queries under k documents dropped. If nothing fits, it tries several steps; then the other metrics; then every
NDCG that the choices allow, whether a tool has it or not. The table shows what fits, how many would fit by chance, what
nearly fits, and which other number of the same tool would tell the remaining ones apart: give it with --also. The exit
code is 1 if nothing fits.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    add_ranking_options(parser)
    parser.add_argument(
        "--value", metavar="NUMBER", required=True, help="the number, with the digits that were printed"
    )
    parser.add_argument(
        "--metric",
        metavar="NAME",
        nargs="+",
        action="extend",
        help="what it may be: ndcg (any cut-off), ndcg@10, map, ...; default: ndcg",
    )
    parser.add_argument(
        "--also", metavar="METRIC=NUMBER", action="append", default=[], help="another number that the same tool printed"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    from ltrlib.metrics.identification_text import identification_json, identification_table
    from ltrlib.metrics.identifying import identify_case

    also = dict(_also(text) for text in args.also)
    found = identify_case(args.value, read_ranking(args), metric=args.metric or ["ndcg"], also=also)
    if args.format == "json":
        print(identification_json(found))
    else:
        print(identification_table(found, ranking=ranking_name(args)))
    return 0 if found.matches else 1


def _also(text: str) -> tuple[str, str]:
    metric, sign, number = text.rpartition("=")
    if not sign or not metric:
        raise UsageError(f"not a metric and its number: {text!r}", where="--also", cure="write --also ndcg@5=0.4512")
    return metric, number
