"""The ranking that ``explain`` and ``identify`` ask about: options, and the reading."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ltrlib.errors import DataFormatError, UsageError

if TYPE_CHECKING:
    from ltrlib.metrics.case import Case

__all__ = ["add_ranking_options", "input_files", "ranking_name", "read_ranking"]


def add_ranking_options(parser: argparse.ArgumentParser) -> None:
    """Declare how one ranking is given."""
    parser.add_argument("--data", metavar="FILE", help="documents and labels in LETOR format")
    parser.add_argument("--scores", metavar="FILE", help="one score per line, in the order of --data")
    parser.add_argument("--qrels", metavar="FILE", help="judgments in TREC format, instead of --data")
    parser.add_argument("--run", metavar="FILE", dest="ranking", help="ranking in TREC format, instead of --scores")


def input_files(args: argparse.Namespace) -> list[str]:
    """Files that are read, which no output may replace."""
    return [name for name in (args.data, args.scores, args.qrels, args.ranking) if name]


def ranking_name(args: argparse.Namespace) -> str:
    """What to call the ranking."""
    return str(args.scores or args.ranking)


def read_ranking(args: argparse.Namespace) -> Case:
    """Read labels and scores, or judgments and run."""
    if args.data and args.scores and not args.qrels and not args.ranking:
        return _letor(args.data, args.scores)
    if args.qrels and args.ranking and not args.data and not args.scores:
        return _trec(args.qrels, args.ranking)
    raise UsageError("it is not clear what to score", cure="give --data and --scores, or --qrels and --run")


def _letor(data_file: str, score_file: str) -> Case:
    from ltrlib.datasets.letor import read_letor
    from ltrlib.metrics.case import make_case
    from ltrlib.metrics.files import read_scores

    data, scores = read_letor(data_file), read_scores(score_file)
    if scores.size != data.n_docs:
        raise DataFormatError(
            f"{scores.size:,} scores, but {data_file} has {data.n_docs:,} documents",
            where=score_file,
            cure="give one score per line, in the order of the documents",
        )
    return make_case(data.labels, scores, data.query_offsets, query_ids=data.query_ids.tolist(), doc_ids=data.doc_ids)


def _trec(qrels_file: str, run_file: str) -> Case:
    from ltrlib.metrics.case import make_case
    from ltrlib.metrics.files import judge, read_qrels, read_run

    both = judge(read_qrels(qrels_file), read_run(run_file))
    for count, what in (
        (both.unjudged, "documents without a judgment, which count as not relevant"),
        (len(both.missing), "judged queries that are not in the run, for which each tool has its own rule"),
        (len(both.ignored), "queries that nobody judged, which are ignored"),
    ):
        if count:
            print(f"ltrlib: {run_file}: {count:,} {what}", file=sys.stderr)
    return make_case(
        both.labels,
        both.scores,
        both.query_offsets,
        query_ids=both.query_ids.tolist(),
        doc_ids=both.doc_ids,
        judged=both.judged,
        unjudged=both.not_judged,
    )
