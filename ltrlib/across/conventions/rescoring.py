"""Check each claim again with another tool's NDCG of the same rankings.

A record whose rankings were scored under every convention is turned into the one that another tool would have given:
the column by which claims are judged gets that tool's values, and the values of other tools are removed. Two rules
decide which claims this concerns:

- a claim that asks the record for tools by name is about these tools, and cannot be checked with another;
- a claim whose every number stays the same under every convention does not rest on an NDCG.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from ltrlib.claims.claim import Claim, Outcome
from ltrlib.claims.evidence import Found, RecordedResult, find
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import ClaimError
from ltrlib.metrics.ndcg_by_tool import CUTOFF, conventions
from ltrlib.records.record import Record

__all__ = [
    "ABOUT_TOOLS",
    "NOT_SCORED",
    "NO_NDCG",
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
NOT_SCORED = "its record was made before other conventions were kept"

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


_FORMS = {
    r"own/queries": RecordForm("the collection's tool", _own_queries),
    r"busafekete2012/.*-queries": RecordForm("ranklib", _study),
    r"koppel2019/(refit|collapse)": RecordForm("the paper's protocol", _protocols),
    r"chapelle2011/correlation-.*": RecordForm("yahoo", _population),
    r"chapelle2011/(baselines|lesson)-.*": RecordForm("yahoo", _metrics),
}
_ONE_CONVENTION = {
    r"busafekete2012/.*-runs": "the record tells of trainings, not of their rankings",
    r"busafekete2012/official-.*": "the official baselines are numbers of one script, so ours are scored by it alone",
    r"busafekete2012/teaching.*": "the experiment asks which NDCG teaches, and scores all models by one",
    r"chapelle2011/oracle.*": "the oracle chooses by one NDCG, the challenge's",
    r"koppel2019/features.*": "the paper's protocol scores by one NDCG",
    r"chapelle2011/transfer-.*": "the rankings of generated documents were scored by one NDCG only",
    r"koppel2019/times": "the record holds times",
    r"koppel2019/sensitivity-(outputs|thresholds|rare)": "the record holds outputs and accuracies",
    r"koppel2019/sensitivity-.*": "the rankings of generated documents were scored by one NDCG only",
    r"tax2015/.*": "made from printed results, whose rankings are not public",
}


def form_of(claim: Claim) -> RecordForm | str | None:
    """Form of a claim's record, or why it cannot be scored again; None if the claim is not checked on a record."""
    if not isinstance(claim.material, RecordedResult):
        return None
    for pattern, form in (_FORMS | _ONE_CONVENTION).items():
        if re.fullmatch(pattern, claim.material.name):
            return form
    raise ClaimError(
        f"{claim.id} is checked on {claim.material.name}, which no rule of re-scoring knows",
        cure="say in ltrlib.across.conventions.rescoring how the record is scored by another NDCG, or why it cannot be",
    )


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
    form = form_of(claim)
    table = form.under(record.table, convention) if isinstance(form, RecordForm) else None
    if table is None:
        return None
    words = f"{record.describe()} Scored as {convention} does."
    standin = record.standin if standin is None else standin
    return claim.check(found=Found((replace(record, table=table),), words, standin=standin))


def rescore(claim: Claim) -> Rescored:
    """Check a claim under every convention."""
    own, form = claim.check(), form_of(claim)
    if not isinstance(form, RecordForm):
        return Rescored(claim, own, "", {}, form or "not checked on a record")
    found = find(claim.material)
    if found.missing is not None:
        return Rescored(claim, own, form.own, {}, found.missing)
    (record,) = found.inputs
    assert isinstance(record, Record)
    under = {}
    for convention in conventions():
        try:
            outcome = with_convention(claim, record, convention, standin=found.standin)
        except KeyError:
            return Rescored(claim, own, form.own, {}, ABOUT_TOOLS)
        if outcome is not None:
            under[convention] = outcome
    reason = None
    if not under:
        reason = NOT_SCORED
    elif all(outcome.judgements == own.judgements for outcome in under.values()):
        reason = NO_NDCG
    return Rescored(claim, own, form.own, {} if reason else under, reason)


def claims_of(outcomes: Iterable[Outcome]) -> list[Claim]:
    """The claims that were checked."""
    return [outcome.claim for outcome in outcomes]


def rescore_all(claims: Iterable[Claim]) -> list[Rescored]:
    """Check all claims that rest on a record under every convention."""
    return [rescore(claim) for claim in claims if form_of(claim) is not None]
