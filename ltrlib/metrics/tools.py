"""How each evaluation tool computes: one preset per tool, with the version that it was checked against."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import Absent
from ltrlib.metrics.metric import DCG, ERR, FAMILIES, MAP, MRR, NDCG, MeanNDCG, Metric, P
from ltrlib.metrics.retrieval import (
    RBP,
    Bpref,
    F,
    InfAP,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    Recall,
    RPrec,
    Success,
)

__all__ = ["TOOLS", "Tool", "template", "tool"]


@dataclass(frozen=True)
class Tool:
    """One tool's conventions.

    Parameters
    ----------
    name
        As in ``ndcg@10:letor4``.
    title
        As its authors call it.
    version
        The version that the preset was checked against.
    checked
        ``golden``: against recorded output of the original; ``live``: against the installed tool, in the tests;
        ``documented``: only against its documentation or source.
    metrics
        The metrics that it has.
    with_cutoff
        Those that it has only with a cut-off, or that then follow other rules.
    default_k
        Cut-off that it takes where none is named.
    note
        What else to know.

    Examples
    --------
    >>> tool("letor4").version, tool("letor4").families
    ('4.0', ('ndcg', 'meanndcg', 'map', 'p'))
    """

    name: str
    title: str
    version: str
    checked: Literal["golden", "live", "documented"]
    metrics: tuple[Metric, ...]
    note: str
    with_cutoff: tuple[Metric, ...] = ()
    default_k: int | None = None

    @property
    def families(self) -> tuple[str, ...]:
        """Names of the metrics that the tool has; ``err@`` means with a cut-off only."""
        named = tuple(metric.family for metric in self.metrics)
        return named + tuple(f"{metric.family}@" for metric in self.with_cutoff if metric.family not in named)

    def template(self, family: str, k: int | None) -> Metric | None:
        """Find the tool's metric of this family and cut-off; None where it has none."""
        k = self.default_k if k is None else k
        for metric in (*(self.with_cutoff if k else ()), *self.metrics):
            if metric.family == family:
                return replace(metric, k=k, tool=self.name)
        return None


def _letor(gain: tuple[float, ...]) -> tuple[Metric, ...]:
    return (NDCG(gain=gain, discount="letor", short="zero"), MeanNDCG(gain=gain, discount="letor"))


def _trec(absent: Absent) -> tuple[Metric, ...]:
    kinds = (NDCG(gain="linear", ideal="judged"), MAP(ideal="judged"), P(short="pad"), MRR())
    sets = (Recall(ideal="judged"), RPrec(ideal="judged"), Success(), F(ideal="judged"), Bpref(), InfAP(), NumRelRet())
    ranked = tuple(replace(metric, ties="docid", precision="float32", absent=absent) for metric in (*kinds, *sets))
    counts = (NumRet(), NumRel(ideal="judged"), NumQ())
    return (*ranked, *(replace(metric, absent=absent) for metric in counts))


def _xgboost(empty: float) -> tuple[Metric, ...]:
    return (
        NDCG(empty=empty, precision="float32"),
        MAP(empty=empty, precision="float32", denominator="cutoff"),
        P(precision="float32"),
    )


_XGBOOST_NOTE = (
    "Without a cut-off it cuts at 32. Its map and pre refuse labels other than 0 and 1; here 1 and more are relevant. "
    "With query weights, NDCG still counts an empty query as 1 of weight 1."
)

TOOLS: dict[str, Tool] = {
    entry.name: entry
    for entry in (
        Tool(
            "letor3",
            "LETOR 3.0 script",
            "3.0",
            "golden",
            (NDCG(gain=(0, 1, 3), discount="letor", short="zero"), MAP()),
            "Prints nothing beyond the length of a list, but its mean divides by all queries: 0 in effect.",
        ),
        Tool(
            "letor4",
            "LETOR 4.0 script (Eval-Score-4.0.pl)",
            "4.0",
            "golden",
            (*_letor((0, 1, 3)), MAP(), P(short="pad")),
            "Stops on CRLF input. P was checked against the source only.",
        ),
        Tool(
            "mslr",
            "MSLR script (eval-score-mslr.pl)",
            "2010",
            "golden",
            (*_letor((0, 1, 3, 7, 15)), MAP(relevant_from=2), P(relevant_from=2, short="pad")),
            "The LETOR 4.0 script for five labels; relevant from label 2. P was checked against the source only.",
        ),
        Tool(
            "yahoo",
            "Yahoo! challenge script (evaluate.py)",
            "as kept in rt-rank",
            "golden",
            (NDCG(empty=1.0), ERR()),
            "The caller gives the ranks, so ties are the caller's. Another line of descent gives empty queries 0.5.",
        ),
        Tool(
            "ranklib",
            "RankLib",
            "2.14",
            "golden",
            (NDCG(), MAP(), ERR()),
            "Keeps the ideal list per query id: the same id twice in one file gets the first one's. -hr drops empty "
            "queries on reading.",
        ),
        Tool(
            "trec_eval",
            "trec_eval",
            "9.0.8",
            "golden",
            _trec("skip"),
            "Version 8.1 has no NDCG; version 10.0 compares scores in float64; -c counts queries that are missing from "
            "the run as 0. P and MRR were checked through pytrec_eval.",
        ),
        Tool(
            "lightgbm",
            "LightGBM",
            "4.7.0",
            "live",
            (NDCG(empty=1.0), MAP(empty=1.0, denominator="cutoff")),
            "Gains can be set (label_gain). Reads NaN scores as 0. With query weights, NDCG still counts an empty "
            "query as 1 of weight 1.",
        ),
        Tool("xgboost", "XGBoost", "3.2.0", "live", _xgboost(1.0), _XGBOOST_NOTE, default_k=32),
        Tool("xgboost-", "XGBoost, ndcg-", "3.2.0", "live", _xgboost(0.0), _XGBOOST_NOTE, default_k=32),
        Tool(
            "catboost",
            "CatBoost",
            "1.2.10",
            "live",
            (
                NDCG(gain="linear", empty=1.0, ties="worst"),
                DCG(gain="linear", ties="worst"),
                MAP(ties="worst", denominator="cutoff"),
                P(ties="worst"),
                MRR(ties="worst"),
                Recall(ties="worst", empty=1.0),
            ),
            "type=Exp: gain=exp2; denominator=Position: discount=reciprocal. NDCG and recall give empty queries 1, "
            "the others 0. Its ERR takes labels as probabilities and is left out.",
        ),
        Tool(
            "sklearn",
            "scikit-learn",
            "1.9.1",
            "live",
            (NDCG(gain="linear", ties="average"), DCG(gain="linear", ties="average")),
            "Refuses a query of one document. ignore_ties=True takes the last first in short lists, any order in long "
            "ones.",
        ),
        Tool(
            "pytrec_eval",
            "pytrec_eval-terrier",
            "0.5.11",
            "live",
            _trec("skip"),
            "The code of trec_eval 9, called from Python; it takes no negative labels.",
        ),
        Tool(
            "ir_measures",
            "ir-measures",
            "0.4.3",
            "live",
            (*_trec("zero"), Judged(ties="docid-ascending", absent="zero")),
            "Delegates: RR with a cut-off goes to another provider, which breaks ties by ascending id in float64; ERR "
            "goes to gdeval, which rounds to 5 decimals. nDCG(dcg='exp-log2'): gain=exp2,precision=float64.",
            with_cutoff=(
                MRR(ties="docid-ascending", absent="zero"),
                ERR(ties="docid", absent="zero"),
            ),
        ),
        Tool(
            "ranx",
            "ranx",
            "0.3.21",
            "live",
            (
                NDCG(gain="linear", ideal="judged", absent="zero"),
                DCG(gain="linear", absent="zero"),
                MAP(ideal="judged", absent="zero"),
                P(short="pad", absent="zero"),
                MRR(absent="zero"),
                Recall(ideal="judged", absent="zero"),
                RPrec(ideal="judged", absent="zero"),
                Success(absent="zero"),
                F(ideal="judged", short="pad", absent="zero"),
                RBP(worth="label", absent="zero"),
                Bpref(absent="zero"),
                NumRelRet(absent="zero"),
            ),
            "ndcg_burges: gain=exp2. Its RBP weighs by label; its bpref is NaN where no judged one is non-relevant. "
            "Its sort is not stable: beyond 15 documents the order of ties is arbitrary. A query that is missing from "
            "the run is an error, or 0 with make_comparable=True.",
        ),
        Tool(
            "rax",
            "rax",
            "0.4.0",
            "live",
            tuple(replace(metric, precision="float32") for metric in (NDCG(), DCG(), MAP(), P(), MRR(), Recall())),
            "Computes in float32 throughout; leaves documents with score -inf unranked. With a random key it shuffles "
            "ties.",
        ),
        Tool(
            "tf_ranking",
            "TF-Ranking",
            "0.5.5",
            "documented",
            (NDCG(ties="random", precision="float32"), DCG(ties="random", precision="float32")),
            "Shuffles ties, so its value changes from run to run; here its expectation.",
        ),
        Tool(
            "torchmetrics",
            "torchmetrics",
            "1.9.0",
            "documented",
            (NDCG(gain="linear", ties="average", precision="float32"),),
            "empty_target_action: neg (0, the default), pos (empty=1), skip (empty=skip). Its other metrics do not "
            "count relevant documents whose score is 0 or less, and are left out.",
        ),
    )
}
"""Presets by name."""


def tool(name: str) -> Tool:
    """Find a tool's preset by its name.

    Examples
    --------
    >>> tool("lightgbm").title
    'LightGBM'
    """
    if name not in TOOLS:
        from ltrlib.metrics.notation import suggestion

        raise UsageError(f"there is no tool {name!r}{suggestion(name, TOOLS)}", cure=f"choose {', '.join(TOOLS)}")
    return TOOLS[name]


def template(family: str, k: int | None, tool_name: str | None) -> Metric:
    """Metric of a family and cut-off as a tool computes it; without a tool, with the library's defaults.

    Examples
    --------
    >>> template("map", None, "mslr").relevant_from
    2
    >>> template("err", None, "letor4")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: the preset letor4 has no err
      to do: choose one of its metrics: ndcg, meanndcg, map, p
    """
    if tool_name is None:
        return FAMILIES[family](k)
    known = tool(tool_name)
    found = known.template(family, k)
    if found is None:
        written = f"{family} without a cut-off" if f"{family}@" in known.families else family
        choose = ", ".join(name + "k" if name.endswith("@") else name for name in known.families)
        raise UsageError(f"the preset {known.name} has no {written}", cure=f"choose one of its metrics: {choose}")
    return found
