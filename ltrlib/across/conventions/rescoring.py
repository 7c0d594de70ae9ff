"""Check each claim again with another tool's NDCG of the same rankings.

A record whose rankings were scored under every convention is turned into the one that another tool would have given:
the column by which claims are judged gets that tool's values, and the values of other tools are removed. The columns of
a record tell whether it can be done. Two rules decide which claims this concerns:

- a claim that asks the record for tools by name is about these tools, and cannot be checked with another;
- a claim whose every number stays the same under every convention does not rest on an NDCG.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from ltrlib.claims.claim import Claim, Outcome
from ltrlib.claims.evidence import Evidence, RecordedResult, gather
from ltrlib.claims.verdict import Verdict
from ltrlib.metrics.ndcg_by_tool import CUTOFF, conventions
from ltrlib.records.record import Record

__all__ = [
    "ABOUT_TOOLS",
    "NO_NDCG",
    "ONE_NDCG",
    "RecordForm",
    "Rescored",
    "claims_of",
    "form_of",
    "rescore",
    "rescore_all",
    "with_convention",
    "worst_cell",
]

ABOUT_TOOLS = "asks for the NDCG of tools that it names"
NO_NDCG = "rests on no NDCG"
ONE_NDCG = "its record keeps the values of one tool only"

_JUDGE = f"ranklib@{CUTOFF}"


@dataclass(frozen=True)
class RecordForm:
    """How records of one form are scored by another tool.

    Parameters
    ----------
    own
        The convention that judges in the record, or what else does, in words.
    under
        The table that a convention would have given; None if it was not recorded, or has no gains for the labels.
    """

    own: str
    under: Callable[[pd.DataFrame, str], pd.DataFrame | None]


def _without(table: pd.DataFrame, mark: str) -> pd.DataFrame:
    """Take away the columns of single tools."""
    return table.drop(columns=[name for name in map(str, table.columns) if mark in name])


def _study(table: pd.DataFrame, convention: str) -> pd.DataFrame | None:
    """One row per query and training, NDCG in columns ``<tool>@<cut-off>``."""
    column = f"{convention}@{CUTOFF}"
    if column not in table or table[column].isna().all():
        return None
    judged = table.drop(columns=[name for name in map(str, table.columns) if "@" in name]).assign(
        **{_JUDGE: table[column]}
    )
    # A query that the tool leaves out is one for all learners.
    return judged[judged[_JUDGE].notna()]


def _protocols(table: pd.DataFrame, convention: str) -> pd.DataFrame | None:
    """One row per training, mean NDCG with binary labels in ``ndcg`` and with graded ones in ``ndcg_all``."""
    columns = {"ndcg": f"binary:{convention}", "ndcg_all": f"graded:{convention}"}
    columns = {ours: theirs for ours, theirs in columns.items() if ours in table}
    if any(theirs not in table or table[theirs].isna().any() for theirs in columns.values()):
        return None
    return _without(table.assign(**{ours: table[theirs] for ours, theirs in columns.items()}), ":")


def _population(table: pd.DataFrame, convention: str) -> pd.DataFrame | None:
    """One row per ranker, mean NDCG in ``ndcg``."""
    column = f"ndcg:{convention}"
    if column not in table or table[column].isna().any():
        return None
    return _without(table.assign(ndcg=table[column]), ":")


def _metrics(table: pd.DataFrame, convention: str) -> pd.DataFrame | None:
    """One row per ranker and metric, that of a tool called ``NDCG:<tool>``."""
    theirs = table["metric"] == f"NDCG:{convention}"
    if not theirs.any():
        return None
    kept = table[~table["metric"].str.startswith("NDCG")]
    return pd.concat([table[theirs].assign(metric="NDCG"), kept], ignore_index=True)


def _own_queries(table: pd.DataFrame, convention: str) -> pd.DataFrame | None:
    """One row per query and method, NDCG@10 by each collection's tool, and in a column for each other one."""
    if convention not in table or table[convention].isna().any():
        return None
    return table.assign(**{"NDCG@10": table[convention]})


_TOOL_AT = RecordForm("ranklib", _study)
_BINARY_GRADED = RecordForm("the paper's protocol", _protocols)
_NDCG_OF = RecordForm("yahoo", _population)
_ROWS_OF = RecordForm("yahoo", _metrics)
_COLUMN_OF = RecordForm("the collection's tool", _own_queries)


def form_of(table: pd.DataFrame) -> RecordForm | None:
    """How a record keeps the values of other tools, told by its columns; None if it keeps none.

    Examples
    --------
    >>> form_of(pd.DataFrame({"ndcg": [0.5], "ndcg:mslr": [0.4]})).own
    'yahoo'
    >>> form_of(pd.DataFrame({"ndcg": [0.5]}))
    """
    columns = {*map(str, table.columns)}
    for tool in conventions():
        if f"{tool}@{CUTOFF}" in columns:
            return _TOOL_AT
        if f"binary:{tool}" in columns:
            return _BINARY_GRADED
        if f"ndcg:{tool}" in columns:
            return _NDCG_OF
        if {tool, "NDCG@10"} <= columns:
            return _COLUMN_OF
    if "metric" in columns and table["metric"].astype(str).str.startswith("NDCG:").any():
        return _ROWS_OF
    return None


_WHY_NOT = {
    r"busafekete2012/official-.*": "the official baselines are numbers of one script, so ours are scored by it alone",
    r"busafekete2012/teaching.*": "the experiment asks which NDCG teaches, and scores all models by one",
    r"busafekete2012/.*-runs": "the record tells of trainings, not of their rankings",
    r"chapelle2011/oracle.*": "the oracle chooses by one NDCG, the challenge's",
    r"koppel2019/features.*": "the paper's protocol scores by one NDCG",
    r"koppel2019/times": "the record holds times",
    r"koppel2019/sensitivity-(outputs|thresholds|rare)": "the record holds outputs and accuracies",
    r"koppel2019/sensitivity-.*": "the rankings of generated documents were scored by one NDCG only",
    r"tax2015/.*": "made from printed results, whose rankings are not public",
}


def _why_not(name: str) -> str:
    """Why a record has no other tool's values: what is known of it, or just that."""
    return next((why for pattern, why in _WHY_NOT.items() if re.fullmatch(pattern, name)), ONE_NDCG)


@dataclass(frozen=True)
class Rescored:
    """A claim under every convention.

    Parameters
    ----------
    claim
        What was checked.
    own
        The outcome on the scoreboard.
    judge
        The convention behind that, or what else, in words.
    under
        Outcomes by convention, without those that were not recorded or have no gains for the labels.
    reason
        Why the claim cannot be checked with another NDCG; None if it can.
    """

    claim: Claim
    own: Outcome
    judge: str
    under: Mapping[str, Outcome]
    reason: str | None

    @property
    def flips(self) -> tuple[str, ...]:
        """Conventions under which the verdict is another one."""
        return tuple(name for name, outcome in self.under.items() if outcome.verdict is not self.own.verdict)

    def cells_flipped(self, convention: str) -> int:
        """How many of the claim's cells the convention judges otherwise."""
        pairs = zip(self.own.judgements, self.under[convention].judgements, strict=True)
        return sum(ours.verdict is not theirs.verdict for ours, theirs in pairs)

    @property
    def worst_cell_flips(self) -> tuple[str, ...]:
        """Conventions under which the worst cell is judged otherwise, whatever the data allow to conclude."""
        own = worst_cell(self.own)
        return tuple(name for name, outcome in self.under.items() if worst_cell(outcome) is not own)


def worst_cell(outcome: Outcome) -> Verdict:
    """Verdict of the worst cell, as if data and protocol were those of the paper."""
    if not outcome.judgements:
        return outcome.verdict
    return max((one.verdict for one in outcome.judgements), key=lambda verdict: verdict.severity)


def with_convention(claim: Claim, record: Record, convention: str, *, standin: bool | None = None) -> Outcome | None:
    """Check a claim on its record as another tool would have scored it; None if that was not recorded.

    A claim that asks for tools by name raises a `KeyError`. `standin` tells whether the rows that the claim uses are
    generated; if not given, whether any of the record's are.
    """
    form = form_of(record.table)
    table = None if form is None else form.under(record.table, convention)
    if table is None:
        return None
    words = f"{record.describe()} Scored as {convention} does."
    standin = record.standin if standin is None else standin
    return claim.check(evidence=Evidence((replace(record, table=table),), words, standin=standin))


def rescore(claim: Claim) -> Rescored:
    """Check a claim under every convention."""
    own = claim.check()
    if not isinstance(claim.material, RecordedResult):
        return Rescored(claim, own, "", {}, "not checked on a record")
    found = gather(claim.material)
    if found.missing is not None:
        return Rescored(claim, own, "", {}, found.missing)
    (record,) = found.inputs
    assert isinstance(record, Record)
    form = form_of(record.table)
    if form is None:
        return Rescored(claim, own, "", {}, _why_not(record.name))
    under = {}
    for convention in conventions():
        try:
            outcome = with_convention(claim, record, convention, standin=found.standin)
        except KeyError:
            return Rescored(claim, own, form.own, {}, ABOUT_TOOLS)
        if outcome is not None:
            under[convention] = outcome
    # Values of a tool may be there, and none of them for the labels of this claim's data.
    reason = None if under else ONE_NDCG
    if under and all(outcome.judgements == own.judgements for outcome in under.values()):
        reason = NO_NDCG
    return Rescored(claim, own, form.own, {} if reason else under, reason)


def claims_of(outcomes: Iterable[Outcome]) -> list[Claim]:
    """The claims that were checked."""
    return [outcome.claim for outcome in outcomes]


def rescore_all(claims: Iterable[Claim]) -> list[Rescored]:
    """Check all claims that rest on a record under every convention."""
    return [rescore(claim) for claim in claims if isinstance(claim.material, RecordedResult)]
