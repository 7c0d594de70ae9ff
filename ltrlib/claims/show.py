"""Outcomes on a page and on the terminal."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ltrlib.claims.claim import Outcome
from ltrlib.claims.verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["badge", "cell_table", "count_table", "outcome_table", "report"]


def badge(shown: Outcome | Verdict) -> str:
    """Return a verdict as Markdown: shape and word, with a class for colour and the reason on hovering.

    Examples
    --------
    >>> badge(Verdict("exact"))
    '<span class="verdict verdict-exact">● exact</span>'
    """
    verdict = shown if isinstance(shown, Verdict) else shown.verdict
    # A line break or a bar would end the cell of a Markdown table.
    reason = "" if isinstance(shown, Verdict) else " ".join(shown.reason.split()).replace("|", "/")
    title = f' title="{html.escape(reason)}"' if reason else ""
    better = " (better)" if isinstance(shown, Outcome) and shown.flagged_better else ""
    return f'<span class="verdict {verdict.css_class}"{title}>{verdict.shape} {verdict.word}{better}</span>'


def cell_table(outcome: Outcome) -> pd.DataFrame:
    """Return published beside ours, one row per cell, as text for :func:`ltrlib.book.show_table`.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> table = cell_table(claim("koppel2019.section5.sigma-others-map").check())
    >>> table[["published", "ours"]].values.tolist()
    [['3.2', '4.119']]
    """
    import pandas as pd

    rows = [
        {
            "cell": one.name,
            "published": one.published,
            "ours": one.ours,
            "difference": "" if one.difference is None else f"{one.difference:+.4g}",
            "interval": "" if one.interval is None else f"{one.interval[0]:.4g} to {one.interval[1]:.4g}",
            "verdict": badge(one.verdict),
            "why": one.reason,
        }
        for one in outcome.judgements
    ]
    table = pd.DataFrame(rows, dtype="str")
    empty = [column for column in ("cell", "difference", "interval") if column in table and (table[column] == "").all()]
    return table.drop(columns=empty)


def outcome_table(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return one row per claim, as plain text.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> outcome_table([claim("chapelle2011.prizes.sum").check()])["verdict"].tolist()
    ['exact']
    """
    import pandas as pd

    columns = ["id", "paper", "place", "statement", "published", "ours", "difference", "interval", "verdict", "reason"]
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
    """Return the number of claims per paper and verdict.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> count_table([claim("chapelle2011.prizes.sum").check()]).loc["chapelle2011", "exact"]
    np.int64(1)
    """
    import pandas as pd

    pairs = [(outcome.claim.paper, outcome.verdict.word) for outcome in outcomes]
    papers = list(dict.fromkeys(paper for paper, _ in pairs))
    return pd.DataFrame(
        {verdict.word: [pairs.count((paper, verdict.word)) for paper in papers] for verdict in Verdict}, index=papers
    )


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
        f"{outcome.verdict.shape} {outcome.verdict.word}  {claim.id}{better}",
        f"  claim        {claim.statement}",
        f"  place        {claim.place}",
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
            lines.append(f"      difference {one.difference:+.6g}{interval}")
    return "\n".join(lines)
