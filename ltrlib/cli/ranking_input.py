"""The ranking that ``explain`` and ``identify`` ask about: the options of ``eval`` for one ranking, and the reading."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ltrlib.errors import UsageError

if TYPE_CHECKING:
    from ltrlib.metrics.case import Case

__all__ = ["add_ranking_options", "input_files", "ranking_name", "read_ranking", "say_what_is_missing"]


def add_ranking_options(parser: argparse.ArgumentParser) -> None:
    """Declare how one ranking is given."""
    parser.add_argument("--data", metavar="FILE", help="documents and labels, in any form that ltrlib eval takes")
    parser.add_argument("--scores", metavar="FILE", help="one score per line, in the order of --data")
    parser.add_argument("--query-sizes", metavar="FILE", help="rows of each query, for --data without qid")
    parser.add_argument("--cd", metavar="FILE", help="CatBoost's column description of --data")
    parser.add_argument("--columns", metavar="NAME=COLUMN,...", help="columns of a table: qid=...,label=...,score=...")
    parser.add_argument("--qrels", metavar="FILE", help="judgments in TREC format, instead of --data")
    parser.add_argument("--run", metavar="FILE", dest="ranking", help="ranking in TREC format, instead of --scores")


def input_files(args: argparse.Namespace) -> list[str]:
    """Files that are read, which no output may replace."""
    given = (args.data, args.scores, args.query_sizes, args.cd, args.qrels, args.ranking)
    return [name for name in given if name and name != "-"]


def ranking_name(args: argparse.Namespace) -> str:
    """What to call the ranking."""
    return str(args.scores or args.ranking or args.data)


def read_ranking(args: argparse.Namespace, *, with_ids: bool = True) -> Case:
    """Read labels and scores, or judgments and run; ids are for the tools that break ties by them."""
    from ltrlib.cli.eval import chosen_columns
    from ltrlib.metrics.case import case_of_documents, case_of_run
    from ltrlib.metrics.inputs import read_documents

    if [args.data, args.scores, args.query_sizes, args.cd, args.qrels, args.ranking].count("-") > 1:
        raise UsageError("standard input can be read once", cure="name a file instead of one -")
    if args.data and not args.qrels and not args.ranking:
        documents = read_documents(
            args.data,
            query_sizes=args.query_sizes,
            column_description=args.cd,
            columns=chosen_columns(args.columns),
            with_ids=with_ids,
        )
        scores = documents.read_scores(args.scores) if args.scores else documents.scores
        if scores is not None:
            return case_of_documents(documents, scores)
    elif args.qrels and args.ranking and not args.data and not args.scores:
        from ltrlib.datasets.trec import read_qrels_table, read_run_table
        from ltrlib.metrics.files import judge

        both = judge(read_qrels_table(args.qrels), read_run_table(args.ranking))
        say_what_is_missing(args.ranking, both.unjudged, len(both.missing), len(both.ignored))
        return case_of_run(both)
    raise UsageError("it is not clear what to score", cure="give --data and --scores, or --qrels and --run")


def say_what_is_missing(run: str, unjudged: int, missing: int, ignored: int) -> None:
    """Tell what a run and its judgments do not have in common."""
    from ltrlib.metrics.report import how_many

    for count, what in (
        (unjudged, f"{how_many(unjudged, 'document')} without a judgment: counted as not relevant"),
        (missing, f"{how_many(missing, 'judged query', 'judged queries')} not in the run: each tool has its own rule"),
        (ignored, f"{how_many(ignored, 'query', 'queries')} without judgments: ignored"),
    ):
        if count:
            print(f"ltrlib: {run}: {what}", file=sys.stderr)
