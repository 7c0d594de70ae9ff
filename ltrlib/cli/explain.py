"""``ltrlib explain``: why two tools give one ranking different numbers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ltrlib.cli.ranking_input import add_ranking_options, input_files, ranking_name, read_ranking
from ltrlib.errors import UsageError

if TYPE_CHECKING:
    from ltrlib.metrics.metric import Metric

HELP = "why do two NDCGs of one ranking differ? the difference taken apart by cause"

_OWN = "ltrlib"
_EPILOG = """\
--between takes two tools (lightgbm, sklearn, trec_eval, ...; ltrlib for this library's own rules), a tool with some
choices changed, as in 'lightgbm(empty=0)', or two whole metrics, as in ndcg@10:lightgbm ndcg@5:sklearn.

The difference is the first minus the second. Two tools differ in some of their choices: what an empty query or a short
list scores, gain, discount, ties, score precision, ideal list, cut-off. Each cause's part is its Shapley value: what
switching that choice changes in the mean, averaged over all orders of switching the choices. No order is privileged,
and the parts add up to the difference. A query that one tool leaves out counts there as the mean of the others.
"They part at" is the first cut-off at which the two give that query different values.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    add_ranking_options(parser)
    parser.add_argument("--between", metavar="TOOL", nargs=2, required=True, help="two tools, or two metrics")
    parser.add_argument("--metric", metavar="NAME", default="ndcg@10", help="default: %(default)s")
    parser.add_argument("--top", metavar="N", type=int, default=10, help="queries to list; default: %(default)s")
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: %(default)s")
    parser.add_argument("--output", metavar="PAGE.html", type=Path, help="write a page that needs no other file")


def run(args: argparse.Namespace) -> int:
    """Explain, print, write the page."""
    from ltrlib.metrics.explaining import explain_case
    from ltrlib.metrics.explanation_text import explanation_json, explanation_table

    if args.top < 0:
        raise UsageError("--top must be 0 or more", cure="write --top 10")
    first, second = (_metric(written, args.metric) for written in args.between)
    with_ids = any(metric.ties.startswith("docid") for metric in (first, second))
    found = explain_case(first, second, read_ranking(args, with_ids=with_ids), top=args.top)
    if args.output is not None:
        from ltrlib.metrics.explanation_page import explanation_page
        from ltrlib.metrics.offline_page import write_page

        text = explanation_page(found, ranking=ranking_name(args))
        write_page(text, args.output, inputs=input_files(args))
    print(explanation_json(found) if args.format == "json" else explanation_table(found))
    return 0


def _metric(written: str, metric: str) -> Metric:
    """One side of the comparison: a tool, a tool with changed choices, or a metric of its own."""
    from ltrlib.metrics.metric import FAMILIES
    from ltrlib.metrics.notation import parse_many
    from ltrlib.metrics.tools import TOOLS, tool

    name, bracket, changed = written.partition("(")
    if name in TOOLS or name == _OWN:
        if bracket and "(" in metric:
            raise UsageError("choices stand both in --between and in --metric", where=written, cure="give them once")
        found = parse_many(metric + bracket + changed if name == _OWN else _with_tool(metric, written))
    elif "@" in name or ":" in name or bracket or name in FAMILIES:
        found = parse_many(written)
    else:
        tool(name)  # names the nearest known one
    if len(found) != 1:
        raise UsageError(f"{metric!r} names {len(found)} metrics, where one is wanted", cure="write ndcg@10")
    return found[0]


def _with_tool(metric: str, written: str) -> str:
    family, bracket, choices = metric.partition("(")
    if ":" in family:
        raise UsageError(f"{metric} names a tool, and so does --between", cure="name the tools in --between only")
    return f"{family}:{written}{bracket}{choices}"
