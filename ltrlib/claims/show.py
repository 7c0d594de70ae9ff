"""Outcomes on a page and on the terminal."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ltrlib.claims.claim import Claim, Outcome
from ltrlib.claims.noise import Family
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import ClaimError
from ltrlib.project import chapter_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "RESCORED",
    "anchor",
    "badge",
    "count_table",
    "family_table",
    "link",
    "outcome_table",
    "page_of",
    "report",
    "rescored_anchor",
]

RESCORED = "61-another-convention"
"""The page that asks claims again under the NDCG of every tool."""


def anchor(claim: str) -> str:
    """Id of the claim's row on every page that shows it.

    Examples
    --------
    >>> anchor("tax2015.b6.nwn")
    'claim-tax2015-b6-nwn'
    """
    return "claim-" + claim.replace(".", "-")


def rescored_anchor(claim: str) -> str:
    """Id of the claim's row on the page `RESCORED`.

    Examples
    --------
    >>> rescored_anchor("tax2015.b6.nwn")
    'rescored-tax2015-b6-nwn'
    """
    return "rescored-" + claim.replace(".", "-")


def page_of(claim: Claim) -> str:
    """Name of the page on which a claim is treated, without folder and ending: the chapter of its room.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> page_of(claim("chapelle2011.prizes.sum"))
    '30-chapelle2011-paper'
    """
    if claim.chapter is not None:
        return claim.chapter
    chapters = chapter_names(claim.paper)
    if claim.room not in chapters:
        raise ClaimError(
            f"{claim.id} stands in {claim.module}, which has no chapter", cure="move it, or add the chapter"
        )
    return chapters[claim.room]


def link(claim: Claim, *, from_root: bool = False) -> str:
    """Address of a claim's row, from another chapter or from the book's first page.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> link(claim("chapelle2011.prizes.sum"))
    '30-chapelle2011-paper.html#claim-chapelle2011-prizes-sum'
    """
    return f"{'chapters/' * from_root}{page_of(claim)}.html#{anchor(claim.id)}"


def badge(shown: Outcome | Verdict) -> str:
    r"""Return a verdict as Markdown: shape and word, with a class for colour and the reason on hovering.

    Examples
    --------
    >>> badge(Verdict("exact"))
    '<span class="verdict verdict-exact">●\xa0exact</span>'
    """
    verdict = shown if isinstance(shown, Verdict) else shown.verdict
    # A line break or a bar would end the cell of a Markdown table.
    reason = "" if isinstance(shown, Verdict) else " ".join(shown.reason.split()).replace("|", "/")
    title = f' title="{html.escape(reason)}"' if reason else ""
    better = " (better)" if isinstance(shown, Outcome) and shown.flagged_better else ""
    word = verdict.word if isinstance(shown, Verdict) else shown.word
    return f'<span class="verdict {verdict.css_class}"{title}>{verdict.shape}\N{NO-BREAK SPACE}{word}{better}</span>'


def outcome_table(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return one row per claim, as plain text.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> outcome_table([claim("chapelle2011.prizes.sum").check()])["verdict"].tolist()
    ['exact']
    """
    import pandas as pd

    columns = ["id", "paper", "place", "statement", "weight", "cause", "checked_by"]
    columns += ["published", "ours", "difference", "interval", "verdict", "reason"]
    columns += ["better_than_published", "data", "standin", "fingerprint", "command"]
    rows = []
    for outcome in outcomes:
        row = outcome.as_dict()
        cells = row.pop("cells")
        single = cells[0] if len(cells) == 1 else {}
        row["published"] = single.get("published", f"{len(cells)} cells" if cells else "")
        row["ours"] = single.get("ours", f"{len(cells)} cells" if cells else "")
        row["difference"] = single.get("difference")
        row["interval"] = single.get("interval")
        rows.append({column: "" if row[column] is None else str(row[column]) for column in columns})
    return pd.DataFrame(rows, columns=columns, dtype="str")


def count_table(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return the number of claims per publication that they judge, and verdict.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> count_table([claim("chapelle2011.prizes.sum").check()]).loc["chapelle2011", "exact"]
    np.int64(1)
    """
    import pandas as pd

    pairs = [(outcome.claim.judges, outcome.verdict.word) for outcome in outcomes]
    papers = list(dict.fromkeys(paper for paper, _ in pairs))
    return pd.DataFrame(
        {verdict.word: [pairs.count((paper, verdict.word)) for paper in papers] for verdict in Verdict}, index=papers
    )


def family_table(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return the families of comparisons that claims declare: what is compared, how often, in which claims.

    Examples
    --------
    >>> family_table([]).columns.tolist()
    ['family', 'what is compared', 'comparisons', 'claims']
    """
    import pandas as pd

    found: dict[Family, dict[str, None]] = {}
    for outcome in outcomes:
        for one in outcome.judgements:
            if one.family is not None:
                found.setdefault(one.family, {})[outcome.claim.id] = None
    rows = [(family.name, family.words, family.comparisons, ", ".join(ids)) for family, ids in found.items()]
    return pd.DataFrame(rows, columns=["family", "what is compared", "comparisons", "claims"])


def report(outcome: Outcome) -> str:
    """Return everything about one outcome, for the terminal.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> print(report(claim("chapelle2011.prizes.sum").check()).splitlines()[0])
    ● exact  chapelle2011.prizes.sum
    """
    claim = outcome.claim
    better = "  (better than published)" if outcome.flagged_better else ""
    lines = [
        f"{outcome.verdict.shape} {outcome.word}  {claim.id}{better}",
        f"  claim        {claim.statement}",
        f"  place        {claim.place}",
        *(f"  words        {words}" for words in claim.words),
        f"  weight       {claim.weight.value}",
        *([f"  cause        {claim.cause_id}"] if claim.cause else []),
        *([f"  corrected    by the authors: {claim.corrected}"] if claim.corrected else []),
        f"  checked by   {outcome.checked_by}",
        f"  reason       {outcome.reason}",
        f"  data         {outcome.data}{'  (STAND-IN)' if outcome.standin else ''}",
        f"  fingerprint  {outcome.fingerprint}",
        f"  recompute    {claim.command}",
    ]
    for one in outcome.judgements:
        name = f"{one.name}: " if one.name else ""
        lines.append(f"  {one.verdict.shape} {name}published {one.published}, ours {one.ours}")
        if one.difference is not None:
            interval = "" if one.interval is None else f", interval {one.interval[0]:.6g} to {one.interval[1]:.6g}"
            margin = "" if one.margin is None else f", margin {one.margin:.6g} ({one.margin_source})"
            lines.append(f"      difference {one.difference:+.6g}{interval}{margin}")
        if one.family is not None:
            lines.append(f"      one of {one.family.comparisons} comparisons at once: {one.family.words}")
    return "\n".join(lines)
