"""``ltrlib eval``: score rankings the way any known tool would."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING

from ltrlib.errors import DataFormatError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ltrlib.metrics.engine import Evaluation, MetricValues
    from ltrlib.metrics.metric import Metric

    Scorers = dict[str, Callable[[Iterable[Metric]], Evaluation]]

HELP = "score rankings the way LETOR, RankLib, trec_eval, LightGBM and others would"

_OWN = "ltrlib"
_EPILOG = """\
metrics: name[@k][(choice=value,...)], as in ndcg@10, ndcg@1..10, map, err, p@5, mrr@10, dcg@5, meanndcg, tau,
  ndcg@10(gain=linear,empty=skip); a tool may be named in the metric too: ndcg@10:letor4.
rules: documents of a run that are not judged count as not relevant; queries that are missing from a run follow the
  tool's rule (left out, or 0); queries that are not judged are ignored. Where a tool breaks ties by document id, ids
  come from "docid = ..." behind # in --data; without them, rows count as sorted by ascending id. Scores of +-inf are
  ordered like numbers; NaN is an error.
several score files or runs: every pair is compared by a paired t-test and a randomisation test (10,000 rounds, fixed
  seed; exact up to 16 differing queries), Holm-corrected over the pairs; CSV leaves the tests out.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    parser.add_argument("--data", metavar="FILE", help="documents and labels in LETOR format")
    parser.add_argument("--scores", metavar="FILE", nargs="+", help="one score per line, in the order of --data")
    parser.add_argument("--qrels", metavar="FILE", help="judgments in TREC format, instead of --data")
    parser.add_argument("--run", metavar="FILE", nargs="+", dest="runs", help="ranking in TREC format")
    parser.add_argument(
        "--tool",
        metavar="NAME,...",
        default=_OWN,
        help="compute as these tools do, or all (default: ltrlib's own rules)",
    )
    parser.add_argument("--metric", metavar="NAME", nargs="+", default=["ndcg@10"], help="default: ndcg@10")
    parser.add_argument("--per-query", action="store_true", help="list single queries too (JSON always does)")
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table")


def run(args: argparse.Namespace) -> int:
    """Print the values."""
    from ltrlib.metrics.report import Report

    asked = _asked(args.metric)
    wanted = _wanted(args.tool, asked)
    if args.data and args.scores and not args.qrels and not args.runs:
        query_ids, scorers = _letor(args.data, args.scores)
    elif args.qrels and args.runs and not args.data and not args.scores:
        query_ids, scorers = _trec(args.qrels, args.runs)
    else:
        raise UsageError("it is not clear what to score", cure="give --data and --scores, or --qrels and --run")
    results: dict[str, dict[str, dict[str, MetricValues]]] = {name: {} for name in scorers}
    for tool, metrics in wanted.items():
        try:
            found = {name: score(metrics.values()) for name, score in scorers.items()}
        except UsageError as error:
            if args.tool != "all":
                raise UsageError(error.what, where=tool, cure=error.cure) from error
            _say(f"{tool} is left out: {error.what}")
            continue
        for name, evaluation in found.items():
            results[name][tool] = {label: evaluation[metric] for label, metric in metrics.items()}
    columns = [label for labels in asked.values() for label in labels]
    report = Report(query_ids, results, list(dict.fromkeys(columns)), per_query=args.per_query)
    print({"table": report.table, "json": report.json, "csv": report.csv}[args.format]())
    return 0


def _asked(texts: list[str]) -> dict[str, list[str]]:
    """Names of the metrics of each text, without a tool; a text that is wrong for every tool is an error here."""
    from ltrlib.metrics.notation import parse_many, to_text

    return {text: [to_text(metric, name_tool=False) for metric in parse_many(text)] for text in texts}


def _wanted(tools: str, asked: dict[str, list[str]]) -> dict[str, dict[str, Metric]]:
    """Metrics by tool and name. With ``all``, a tool goes without what it does not have."""
    from ltrlib.metrics.notation import parse_many
    from ltrlib.metrics.tools import TOOLS

    everything = tools == "all"
    names = list(TOOLS) if everything else [name.strip() for name in tools.split(",")]
    wanted: dict[str, dict[str, Metric]] = {}
    lacking: dict[str, list[str]] = {}
    for name in names:
        for text, labels in asked.items():
            try:
                found = parse_many(text, None if name == _OWN else name)
            except UsageError:
                if not everything:
                    raise
                lacking.setdefault(text, []).append(name)
                continue
            for label, metric in zip(labels, found, strict=True):
                wanted.setdefault(metric.tool or _OWN, {})[label] = metric
    for text, without in lacking.items():
        _say(f"without {text}: {', '.join(without)}")
    return wanted


def _letor(data_file: str, score_files: list[str]) -> tuple[list[str], Scorers]:
    from ltrlib.datasets.letor import read_letor
    from ltrlib.metrics.engine import evaluate_data
    from ltrlib.metrics.files import read_scores

    _check_once(score_files)
    data = read_letor(data_file)
    scorers: Scorers = {}
    for name in score_files:
        scores = read_scores(name)
        if scores.size != data.n_docs:
            raise DataFormatError(
                f"{scores.size:,} scores, but {data_file} has {data.n_docs:,} documents",
                where=name,
                cure="give one score per line, in the order of the documents",
            )
        scorers[name] = partial(evaluate_data, data=data, scores=scores)
    return data.query_ids.tolist(), scorers


def _trec(qrels_file: str, run_files: list[str]) -> tuple[list[str], Scorers]:
    from ltrlib.metrics.engine import evaluate
    from ltrlib.metrics.files import judge, read_qrels, read_run

    _check_once(run_files)
    qrels = read_qrels(qrels_file)
    scorers: Scorers = {}
    for name in run_files:
        both = judge(qrels, read_run(name))
        for count, what in (
            (both.unjudged, "documents without a judgment, which count as not relevant"),
            (len(both.missing), "judged queries that are not in the run, for which each tool has its own rule"),
            (len(both.ignored), "queries that nobody judged, which are ignored"),
        ):
            if count:
                _say(f"{name}: {count:,} {what}")
        scorers[name] = partial(
            evaluate,
            labels=both.labels,
            scores=both.scores,
            query_offsets=both.query_offsets,
            doc_ids=both.doc_ids,
            judged=both.judged,
            unjudged=both.not_judged,
        )
    return list(qrels), scorers


def _check_once(names: list[str]) -> None:
    if len(set(names)) < len(names):
        raise UsageError("a file is named twice", where=", ".join(names), cure="name each file once")


def _say(note: str) -> None:
    print(f"ltrlib: {note}", file=sys.stderr)
