"""The paper's own table in the paper's layout: in each cell what was printed, ours, and the verdict."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ltrlib.book.claim_rows import ours_text, shape, why
from ltrlib.book.output import folded, show_framed
from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.claims.show import anchor, page_of
from ltrlib.claims.verdict import Verdict
from ltrlib.published.chips import headed
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import Table, load_table

__all__ = ["judged_cells", "paper_table_html", "show_paper_table"]

_WAYS = ("rerun", "counted", "arithmetic", "rerun on other data", "not public")
_MARKS = "†‡§¶"
_TEXT = ' class="text"'


def judged_cells(outcomes: Sequence[Outcome], table: str) -> Mapping[tuple[str, str], tuple[Outcome, Judgement]]:
    """For each cell of a table, by row and column, the judgement that says most about it.

    A rerun says more than a count, a count more than arithmetic; of equals the worst verdict.

    Examples
    --------
    >>> from ltrlib.claims.registry import claims
    >>> outcomes = [claim.check() for claim in claims("koppel2019", "table1")]
    >>> outcome, judgement = judged_cells(outcomes, "table1")["DirectRanker", "mq2008_ndcg"]
    >>> outcome.claim.id, judgement.published
    ('koppel2019.table1.mq2008-ndcg', '0.720(12)')
    """
    found: dict[tuple[str, str], tuple[Outcome, Judgement]] = {}

    def rank(outcome: Outcome, judgement: Judgement) -> tuple[int, int]:
        return _WAYS.index(outcome.checked_by), -judgement.verdict.severity

    for outcome in outcomes:
        for judgement in outcome.judgements:
            if judgement.address is None or judgement.address[0] != table:
                continue
            place = judgement.address[1:]
            if place not in found or rank(outcome, judgement) < rank(*found[place]):
                found[place] = (outcome, judgement)
    return found


class _Shown(NamedTuple):
    """What stands under a printed number: ours in words, the verdict, and the claim behind it."""

    outcome: Outcome
    verdict: Verdict
    reason: str
    ours: str


def _shown(layout: TableLayout, outcomes: Sequence[Outcome]) -> Mapping[tuple[str, str], _Shown]:
    """For each cell its own judgement, or what a claim found that speaks of several cells at once."""
    by_id = {one.claim.id: one for one in outcomes}
    together = {
        place: _Shown(by_id[name], by_id[name].verdict, by_id[name].reason, words)
        for place, (name, words) in layout.checks.items()
        if name in by_id
    }
    # A claim that could not be compared as a whole says nothing for or against one of its cells.
    alone = {
        place: _Shown(one, one.verdict, one.reason, at_printed_digits(cell))
        if one.verdict is Verdict.NOT_COMPARABLE
        else _Shown(one, cell.verdict, why(cell), at_printed_digits(cell))
        for place, (one, cell) in judged_cells(outcomes, layout.table).items()
    }
    return together | alone


def paper_table_html(layout: TableLayout, outcomes: Sequence[Outcome], *, here: bool = True) -> str:
    """The table as HTML.

    Parameters
    ----------
    layout
        The paper's layout.
    outcomes
        Checked claims of the paper; those that name one of its cells fill it.
    here
        Whether the claims stand on the same page; else a cell leads to the page that treats its claim.

    Examples
    --------
    >>> layout = TableLayout("koppel2019", "table2", "Table 2 of the paper.", {"seconds": "Seconds"})
    >>> paper_table_html(layout, []).count("<tr")
    9
    """
    table = load_table(layout.paper, layout.table)
    shown = _shown(layout, outcomes)
    notes = list(dict.fromkeys(layout.row_notes.values()))
    rows = "\n".join(_row(layout, table, row, shown, notes, here) for row in layout.rows or table.rows)
    foot = "".join(f"<p>{_MARKS[i]} {html.escape(note)}</p>" for i, note in enumerate(notes))
    return (
        '<div class="paper-table-box">'
        f'<div class="paper-table" tabindex="0" role="region" aria-label="{html.escape(layout.caption)}">'
        f"<table>{_head(layout, table)}<tbody>\n{rows}\n</tbody></table></div>"
        + (f'<div class="table-notes">{foot}</div>' if foot else "")
        + "</div>"
    )


def show_paper_table(layout: TableLayout, outcomes: Sequence[Outcome], *, here: bool = True) -> None:
    """Show the table with its caption, and offer published and ours as CSV.

    Examples
    --------
    >>> layout = TableLayout("koppel2019", "table2", "Table 2 of the paper.", {"seconds": "Seconds"})
    >>> show_paper_table(layout, [])  # doctest: +ELLIPSIS
    {'text/markdown': '...Table 2 of the paper...
    """
    import pandas as pd

    table = load_table(layout.paper, layout.table)
    shown = _shown(layout, outcomes)
    rows = []
    for row in layout.rows or table.rows:
        for column in layout.columns:
            one = shown.get((row, column))
            values = (one.ours, one.verdict.word, one.outcome.claim.id) if one else ("", "", "")
            rows.append((row, column, layout.printed(row, column), *values))
    data = pd.DataFrame(rows, columns=["row", "column", "published", "ours", "verdict", "claim"])
    content = paper_table_html(layout, outcomes, here=here)
    show_framed(content, name=layout.label, caption=layout.caption, data=data, convention=layout.convention)


def at_printed_digits(judgement: Judgement) -> str:
    """Ours with as many digits as the paper prints, where that shows that the two agree; else with all of ours.

    Examples
    --------
    >>> from ltrlib.claims.cells import Value
    >>> from ltrlib.claims.rules import judge
    >>> from ltrlib.published.printed import Printed
    >>> [at_printed_digits(judge(Value(Printed.parse("0.3529"), ours))) for ours in (6 / 17, 0.3611)]
    ['0.3529', '0.3611']
    """
    printed = judgement.published.partition("(")[0]
    _, point, digits = printed.partition(".")
    if point and digits.isdigit() and judgement.value is not None and " ± " not in judgement.ours:
        rounded = f"{judgement.value:.{len(digits)}f}"
        if rounded == printed:
            return rounded
    return ours_text(judgement)


def _head(layout: TableLayout, table: Table) -> str:
    keys = [name for name, column in table.header.columns.items() if column.kind == "key"]
    columns = list(zip(layout.columns, layout.heads, strict=True))
    groups = [(group, [name for name, _ in same]) for group, same in groupby(columns, key=lambda one: one[1][0])]
    two = any(group for group, _ in groups)
    corner = f'<th scope="col" rowspan="{1 + two}">{html.escape(layout.corner or " / ".join(keys))}</th>'
    # What all columns of a group lack is said once, above them.
    missing = {group: {layout.needs.get(name, "") for name in names} for group, names in groups if group}
    lower = "".join(
        f'<th scope="col"{_TEXT if table.header.columns[name].kind == "text" else ""}>'
        + headed(html.escape(head), layout.convention)
        + ("" if len(missing.get(group, ())) == 1 else _small(layout.needs.get(name, "")))
        + "</th>"
        for name, (group, head) in columns
    )
    if not two:
        return f"<thead><tr>{corner}{lower}</tr></thead>"
    upper = "".join(
        f'<th scope="colgroup" colspan="{len(names)}">{headed(html.escape(group), layout.convention)}'
        + (_small(next(iter(missing[group]))) if len(missing.get(group, ())) == 1 else "")
        + "</th>"
        for group, names in groups
    )
    return f"<thead><tr>{corner}{upper}</tr><tr>{lower}</tr></thead>"


def _small(why: str) -> str:
    return f"<small>{html.escape(why)}</small>" if why else ""


def _row(
    layout: TableLayout,
    table: Table,
    row: str,
    shown: Mapping[tuple[str, str], _Shown],
    notes: Sequence[str],
    here: bool,
) -> str:
    mark = f"&nbsp;{_MARKS[notes.index(layout.row_notes[row])]}" if row in layout.row_notes else ""
    cells = [f'<th scope="row">{html.escape(layout.row_names.get(row, row))}{mark}</th>']
    for column in layout.columns:
        printed = html.escape(layout.printed(row, column))
        if (row, column) in shown:
            cells.append(_judged(printed, shown[row, column], here))
        elif table.header.columns[column].kind == "text" or not printed:
            cells.append(f'<td class="text">{folded(printed)}</td>')
        else:
            cells.append(f'<td><span class="printed">{printed}</span></td>')
    return f"<tr>{''.join(cells)}</tr>"


def _judged(printed: str, shown: _Shown, here: bool) -> str:
    claim = shown.outcome.claim
    address = ("" if here else f"{page_of(claim)}.html") + "#" + anchor(claim.id)
    title = html.escape(f"{shown.verdict.word}: {shown.reason}")
    return (
        f'<td class="judged {shown.verdict.css_class}"><span class="printed">{printed}</span>'
        f'<a class="ours" href="{address}" title="{title}">{html.escape(shown.ours)} {shape(shown.verdict)}</a></td>'
    )
