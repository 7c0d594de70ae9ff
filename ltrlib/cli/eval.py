"""``ltrlib eval``: score rankings the way any known tool would."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ltrlib.cli.ranking_input import say_what_is_missing
from ltrlib.errors import UsageError

if TYPE_CHECKING:
    from ltrlib.metrics.engine import MetricValues
    from ltrlib.metrics.metric import Metric
    from ltrlib.metrics.scoring import Scored

    Results = dict[str, dict[str, dict[str, MetricValues]]]

HELP = "score rankings the way LETOR, RankLib, trec_eval, LightGBM and others would"

EXIT_BELOW = 3
"""Everything was computed, but a value is below its limit."""

_OWN = "ltrlib"
_EPILOG = """\
metrics: name[@k][(choice=value,...)], as in ndcg@10, ndcg@1..10, map, err, p@5, mrr@10, recall@100, success@5, rprec,
  f@10, rbp(p=0.8), bpref, infap, judged@10, numret, numrel, numrelret, dcg@5, meanndcg, tau,
  ndcg@10(gain=linear,empty=skip); a tool may be named in the metric too: ndcg@10:letor4. Names of trec_eval
  (ndcg_cut_10, P.5, recip_rank), ir_measures (nDCG@10, P(rel=2)@5) and ranx (hit_rate@5, ndcg_burges@10) are
  understood.
inputs: --data is LETOR text (features are not read), or a table with qid, label and maybe score by its ending (.csv,
  .tsv, .parquet, .json, .jsonl), or CatBoost's format with --cd; rows without qid need --query-sizes (LightGBM's
  .query, XGBoost's group file; FILE.query and FILE.group are found by themselves). --scores has one number per line,
  or is RankLib's -score output, or a .npy array. --qrels and --run are TREC files, or {query: {document: number}} in a
  .json file. gz, xz, bz2, zst and zip are unpacked; - is standard input.
large input: a few queries are scored at a time, so files may be larger than memory (tables are read whole, and so
  are runs whose lines are not grouped by query). Files that are split by query are named by patterns in quotes, as in
  --data 'part-*.txt' --scores 'part-*.scores'; the n-th files belong together, or one --qrels to all parts of a run.
  --workers and --scheduler score parts and runs side by side, by Dask (pip install "ltrlib[sweeps]").
rules: documents of a run that are not judged count as not relevant; queries that are missing from a run follow the
  tool's rule (left out, or 0); queries that are not judged are ignored; a negative label in qrels means not judged.
  Where a tool breaks ties by document id, ids come from "docid = ..." behind # in --data; without them, rows count as
  sorted by ascending id. Scores of +-inf are ordered like numbers; NaN is an error.
several score files or runs: every pair is compared by a paired t-test and a randomisation test (10,000 rounds, fixed
  seed; exact up to 16 differing queries), Holm-corrected over the pairs; CSV leaves the tests out.
csv: a name that a spreadsheet program would take for a formula has an apostrophe in front.
exit code: 0 done; 2 could not be done; 3 done, but a value is below its limit (--fail-below).
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    parser.add_argument(
        "--data", metavar="FILE", help="documents and labels: LETOR text, CSV, TSV, JSON, Parquet, CatBoost"
    )
    parser.add_argument(
        "--scores", metavar="FILE", nargs="+", action="extend", help="one score per line, in the order of --data"
    )
    parser.add_argument("--query-sizes", metavar="FILE", help="rows of each query, for --data without qid")
    parser.add_argument("--cd", metavar="FILE", help="CatBoost's column description of --data")
    parser.add_argument("--columns", metavar="NAME=COLUMN,...", help="columns of a table: qid=...,label=...,score=...")
    parser.add_argument("--qrels", metavar="FILE", help="judgments in TREC format, instead of --data")
    parser.add_argument("--run", metavar="FILE", nargs="+", action="extend", dest="runs", help="ranking in TREC format")
    parser.add_argument(
        "--tool",
        metavar="NAME,...",
        default=_OWN,
        help="compute as these tools do, or all (default: ltrlib's own rules)",
    )
    parser.add_argument("--metric", metavar="NAME", nargs="+", action="extend", help="default: ndcg@10")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="work on this Dask cluster")
    parser.add_argument("--per-query", action="store_true", help="list single queries too (JSON always does)")
    parser.add_argument("--format", choices=("table", "json", "csv", "markdown", "latex"), default="table")
    parser.add_argument(
        "--fail-below",
        metavar="METRIC=LIMIT",
        nargs="+",
        action="extend",
        default=[],
        help=f"exit with {EXIT_BELOW} if a value is lower, as in ndcg@10=0.48",
    )


def run(args: argparse.Namespace) -> int:
    """Print the values."""
    from ltrlib.metrics.engine import MetricValues
    from ltrlib.metrics.report import Report

    limits = [_limit(text) for text in args.fail_below]
    asked = _asked([*(args.metric or ["ndcg@10"]), *(text for text, _ in limits)])
    wanted = _wanted(args.tool, asked)
    _refuse_same_input(args)
    found = _score(args, wanted)
    query_ids = next(iter(found.values())).query_ids
    left_out = {tool: why for one in found.values() for tool, why in one.left_out.items()}
    for tool, why in left_out.items():
        _say(f"{tool} is left out: {why}")
    results: Results = {}
    for one in found.values():
        for name, tools in one.values.items():
            results[name] = {
                tool: {
                    label: MetricValues(tools[tool][metric], metric.adds_up) for label, metric in wanted[tool].items()
                }
                for tool in tools
                if tool not in left_out
            }
    if not any(results.values()):
        raise UsageError("no tool can score this", cure="see above what each one lacks")
    columns = [label for labels in asked.values() for label in labels]
    report = Report(query_ids, results, list(dict.fromkeys(columns)), per_query=args.per_query)
    print(getattr(report, args.format)())
    return _check_limits(limits, asked, results)


def _asked(texts: list[str]) -> dict[str, list[str]]:
    """Names of the metrics of each text, without a tool; a text that is wrong for every tool is an error here."""
    from ltrlib.metrics.notation import parse_many, to_text

    return {text: [to_text(metric, name_tool=False) for metric in parse_many(text)] for text in texts}


def _wanted(tools: str, asked: dict[str, list[str]]) -> dict[str, dict[str, Metric]]:
    """Metrics by tool and name. With ``all``, a tool goes without what it does not have."""
    from ltrlib.metrics.notation import parse_many, reading
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
            if name == _OWN and (note := reading(text)):
                _say(note)
            for label, metric in zip(labels, found, strict=True):
                wanted.setdefault(metric.tool or _OWN, {})[label] = metric
    for text, without in lacking.items():
        _say(f"without {text}: {', '.join(without)}")
    return wanted


def _score(args: argparse.Namespace, wanted: dict[str, dict[str, Metric]]) -> dict[str, Scored]:
    """Score what is given; runs one by one, other rankings together."""
    from ltrlib.metrics.parts import Workers, score_split_documents, score_split_runs
    from ltrlib.metrics.scoring import DocumentFiles, Plan

    if args.workers < 1:
        raise UsageError(f"{args.workers} workers cannot do anything", where="--workers", cure="give 1 or more")
    plan = Plan({tool: tuple(metrics.values()) for tool, metrics in wanted.items()}, lenient=args.tool == "all")
    workers = Workers(args.workers, args.scheduler)
    if args.data and not args.qrels and not args.runs:
        files = DocumentFiles(
            args.data,
            {name: name for name in args.scores or []},
            args.query_sizes,
            args.cd,
            chosen_columns(args.columns),
        )
        return {args.data: score_split_documents(files, plan, workers)}
    if not (args.qrels and args.runs and not args.data and not args.scores):
        raise UsageError("it is not clear what to score", cure="give --data and --scores, or --qrels and --run")
    scored = score_split_runs(args.qrels, args.runs, plan, workers)
    for name, one in scored.items():
        say_what_is_missing(name, one.unjudged, one.missing, len(one.ignored))
    return scored


def chosen_columns(text: str | None) -> dict[str, str]:
    """Read which columns of a table to use."""
    chosen = {}
    for part in text.split(",") if text else []:
        column, equals, name = part.partition("=")
        if column.strip() not in ("qid", "label", "score", "doc_id") or not equals:
            cure = "write qid=...,label=...,score=...,doc_id=..."
            raise UsageError(f"--columns: {part!r} is not understood", cure=cure)
        chosen[column.strip()] = name.strip()
    return chosen


def _refuse_same_input(args: argparse.Namespace) -> None:
    rankings = args.scores or args.runs or []
    if len(set(rankings)) < len(rankings):
        raise UsageError("a file is named twice", where=", ".join(rankings), cure="name each file once")
    inputs = [args.data, args.qrels, args.query_sizes, args.cd, *rankings]
    if inputs.count("-") > 1:
        raise UsageError("standard input can be read once", cure="name a file instead of one -")


def _limit(text: str) -> tuple[str, float]:
    # A metric may hold an equals sign too: the limit follows the last one.
    metric, equals, limit = text.rpartition("=")
    try:
        if not equals or float(limit) != float(limit):
            raise ValueError
        return metric.strip(), float(limit)
    except ValueError:
        raise UsageError(f"--fail-below: {limit!r} is not a number", where=text, cure="write ndcg@10=0.48") from None


def _check_limits(limits: list[tuple[str, float]], asked: dict[str, list[str]], results: Results) -> int:
    from ltrlib.metrics.notation import parse_many

    below = False
    for text, limit in limits:
        named = {metric.tool for metric in parse_many(text)} - {None}
        for name, tools in results.items():
            for tool, metrics in tools.items():
                for label in asked[text] if tool in (named or {tool}) else ():
                    # A value that is not a number reaches no limit.
                    if label in metrics and not metrics[label].overall >= limit:
                        below = True
                        _say(f"{name}, {tool}: {label} is {metrics[label].overall:.6g}, below {limit:g}")
    return EXIT_BELOW if below else 0


def _say(note: str) -> None:
    print(f"ltrlib: {note}", file=sys.stderr)
