"""``ltrlib versus``: methods with several runs each, compared over seeds, folds and queries."""

from __future__ import annotations

import argparse
from pathlib import Path

from ltrlib.errors import UsageError

HELP = "which method is better? several runs per method, over folds and seeds, with intervals and tests"

_EPILOG = """\
Patterns name files by {fold} and {seed}; put them in quotes:

  ltrlib versus --data 'MQ2008/Fold{fold}/test.txt' --metric ndcg@10:letor4 --margin 0.01 \\
    --method LambdaMART 'lm/fold{fold}/seed{seed}.txt' --method Ridge 'ridge/fold{fold}.txt'

Values are averaged over seeds and paired over queries, across all folds. The interval of a difference contains the
variance over queries and over seeds (training). Holm's correction is over all comparisons: every pair of methods, or
each with --baseline, for every metric. With --margin M, methods whose difference is surely smaller than M are
equivalent; what is neither different nor equivalent is undecided. --by FILE.csv[:COLUMN] repeats the comparison for
each kind of query; the file has a header and a column qid; numbers with many values are cut into quarters.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    labels = parser.add_mutually_exclusive_group(required=True)
    labels.add_argument("--data", metavar="PATTERN", help="documents and labels: LETOR text, or a table")
    labels.add_argument("--qrels", metavar="PATTERN", help="judgments in TREC format; methods are then TREC runs")
    parser.add_argument(
        "--method",
        metavar=("NAME", "PATTERN"),
        nargs=2,
        action="append",
        required=True,
        help="a method and its score files; give two or more",
    )
    parser.add_argument("--metric", metavar="NAME", nargs="+", action="extend", help="default: ndcg@10")
    parser.add_argument("--tool", metavar="NAME", help="compute as this tool does")
    parser.add_argument("--baseline", metavar="NAME", help="compare each method with this one only")
    parser.add_argument("--margin", metavar="M", type=float, help="differences smaller than this do not matter")
    parser.add_argument("--level", metavar="L", type=float, default=0.95, help="confidence level; default: %(default)s")
    parser.add_argument("--by", metavar="FILE.csv[:COLUMN]", help="repeat for each kind of query")
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: %(default)s")
    parser.add_argument("--output", metavar="PAGE.html", type=Path, help="write a page that needs no other file")


def run(args: argparse.Namespace) -> int:
    """Read, compare, print, write the page."""
    from ltrlib.metrics.notation import parse_many
    from ltrlib.metrics.run_files import read_attribute, read_runs
    from ltrlib.metrics.versus import versus, versus_json, versus_table

    methods = dict(args.method)
    if len(methods) < 2 or len(methods) < len(args.method):
        raise UsageError(
            "two methods or more are needed, each with a name of its own", cure="write --method NAME PATTERN"
        )
    metrics = parse_many(args.metric or ["ndcg@10"], args.tool)
    counts = [str(metric) for metric in metrics if metric.adds_up]
    if counts:
        raise UsageError(f"{', '.join(counts)}: a count has no mean over queries", cure="choose ndcg@10, map, ...")
    by = None if args.by is None else read_attribute(args.by)
    runs = read_runs(args.qrels if args.data is None else args.data, methods, metrics, trec=args.data is None)
    found = versus(
        runs,
        baseline=args.baseline,
        margin=args.margin,
        level=args.level,
        by=None if by is None else by[:2],
    )
    if args.output is not None:
        from ltrlib.metrics.offline_page import write_page
        from ltrlib.metrics.versus_page import versus_page

        inputs = [*runs.files, *([] if by is None else [by[2]])]
        write_page(versus_page(found), args.output, inputs=inputs)
    print(versus_json(found) if args.format == "json" else versus_table(found))
    return 0
