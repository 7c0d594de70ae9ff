"""The table of claims against conventions: what each would be judged if another tool had scored our rankings."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ltrlib.across.conventions.claims import Rescored, seen
from ltrlib.claims.claim import Outcome
from ltrlib.claims.show import badge, link, rescored_anchor
from ltrlib.claims.verdict import Verdict
from ltrlib.metrics.ndcg_by_tool import conventions

__all__ = ["flip_counts", "left_out", "rescored_html", "verdict_words"]


def verdict_words(outcome: Outcome) -> str:
    """A verdict as HTML; where data or protocol forbid one, also what was seen there.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> verdict_words(claim("chapelle2011.prizes.sum").check())[-14:]
    '● exact</span>'
    """
    if outcome.verdict is not Verdict.NOT_COMPARABLE or not outcome.judgements:
        return badge(outcome)
    return f"{badge(outcome)} <small>(there {seen(outcome).shape} {seen(outcome).word})</small>"


def rescored_html(rescored: Sequence[Rescored], *, static: str = "../_static") -> str:
    """Return the table: one row per claim, its verdict on the scoreboard, and one under each convention.

    Parameters
    ----------
    rescored
        Claims that can be asked of another NDCG.
    static
        Address of the folder with the style sheet.

    Examples
    --------
    >>> rescored_html([]).count('<th scope="col">')
    15
    """
    titles = ["judged by", *conventions()]
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in ("claim", *titles))
    order = sorted(rescored, key=lambda one: (-len(one.flips), -len(one.flips_seen)))
    body = "\n".join(_row(one) for one in order)
    return (
        f'<link rel="stylesheet" href="{static}/switch.css">\n'
        "<p>Verdict on each claim if our rankings are scored by each tool's NDCG@10. A framed one differs from the "
        "scoreboard; claims with such a one come first.</p>\n"
        '<div class="rescored" tabindex="0" role="region" aria-label="Claims under every convention"><table>'
        f"\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _row(one: Rescored) -> str:
    code = f"<small><code>{one.claim.id}</code></small>"
    title = f'<a href="{link(one.claim)}">{html.escape(one.claim.statement)}</a><br>{code}'
    own = f"{html.escape(one.judge)}: {verdict_words(one.own)}"
    cells = ""
    for convention in conventions():
        outcome = one.under.get(convention)
        if outcome is None:
            cells += "<td>–</td>"
            continue
        flipped = convention in one.flips or convention in one.flips_seen
        mark = ' class="flipped"' if flipped else ""
        cells += f"<td{mark}>{verdict_words(outcome)}</td>"
    return f'<tr id="{rescored_anchor(one.claim.id)}"><th scope="row">{title}</th><td>{own}</td>{cells}</tr>'


def flip_counts(rescored: Sequence[Rescored]) -> pd.DataFrame:
    """How many claims, and single values behind them, each convention judges otherwise than the scoreboard does.

    Examples
    --------
    >>> flip_counts([]).columns.tolist()
    ['tools', 'claims', 'other verdict', 'values', 'judged otherwise']
    """
    rows = []
    for convention, tools in conventions().items():
        there = [one for one in rescored if convention in one.under]
        flips = sum(convention in one.flips for one in there)
        cells = sum(len(one.own.judgements) for one in there)
        cells_flipped = sum(one.cells_flipped(convention) for one in there)
        rows.append((", ".join(tools), len(there), flips, cells, cells_flipped))
    return pd.DataFrame(rows, columns=["tools", "claims", "other verdict", "values", "judged otherwise"])


def left_out(rescored: Sequence[Rescored]) -> pd.DataFrame:
    """Claims that are checked on a record but cannot be asked of another NDCG: why, and how many.

    Examples
    --------
    >>> left_out([]).columns.tolist()
    ['why', 'claims']
    """
    reasons = Counter(one.reason for one in rescored if one.reason is not None)
    return pd.DataFrame(reasons.most_common(), columns=["why", "claims"]).astype({"why": "str"})
