"""Claims on a page: one line each (shape, sentence, published → ours, place), everything else folded below it."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from ltrlib.book.digits import measured, number
from ltrlib.book.typography import typeset
from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.claims.show import anchor, badge, page_of
from ltrlib.claims.verdict import Verdict
from ltrlib.claims.words import Sentence

__all__ = ["MOST_CELLS", "claim_row", "claims_html", "in_short", "number_line", "ours_text", "shape", "why"]

MOST_CELLS = 12
"""A list of all papers' claims shows so many cells of one; the page of the paper shows all."""

_SENTENCE = 26
_WIDTH, _HEIGHT, _MARGIN = 130, 18, 8


def shape(verdict: Verdict, word: str = "") -> str:
    """The verdict as its shape alone; the word is in the tooltip, and there for screen readers.

    Examples
    --------
    >>> shape(Verdict.EXACT)
    '<span class="shape verdict-exact" role="img" aria-label="exact" title="exact">●</span>'
    """
    said = html.escape(word or verdict.word)
    return (
        f'<span class="shape {verdict.css_class}" role="img" aria-label="{said}" title="{said}">{verdict.shape}</span>'
    )


def in_short(outcome: Outcome) -> str:
    """What the line says beside the sentence: both numbers, or how many cells came to which verdict.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> in_short(claim("chapelle2011.table1.queries").check())
    '36,251 → 36,251'
    """
    found = outcome.judgements
    if not found:
        return "–"
    if len(found) == 1:
        published, ours = typeset(found[0].published), typeset(ours_text(found[0]))
        # Words without a number are the sentence itself, which stands beside it.
        said = len(published) > _SENTENCE and not any(letter.isdigit() for letter in published)
        return html.escape(f"ours: {ours}" if said else f"{published} → {ours}")
    counts = Counter(one.verdict for one in found)
    parts = [f"{shape(verdict)} {counts[verdict]}" for verdict in Verdict if counts[verdict]]
    return f'<span class="counts">{" ".join(parts)}</span>'


def number_line(judgement: Judgement) -> str:
    """A small drawing of one cell: published, ours, and the interval in which a published value counts as ours.

    Examples
    --------
    >>> from ltrlib.claims.cells import Measured, Value
    >>> from ltrlib.claims.rules import judge
    >>> from ltrlib.published.printed import Printed
    >>> line = number_line(judge(Value(Printed.parse("0.720(12)"), Measured(0.717, 0.012, 4))))
    >>> line.count("<line"), line.count("<circle"), line.count("<path")
    (2, 1, 1)
    """
    published, ours = judgement.published_value, judgement.value
    # Digits that were rounded away are no distance.
    if published is None or ours is None or judgement.verdict is Verdict.EXACT:
        return ""
    low, high = judgement.interval or (ours, ours)
    ends = [published, ours, low, high]
    span = max(ends) - min(ends)
    if not span > 0 or not math.isfinite(span):
        return ""

    def place(value: float) -> float:
        return _MARGIN + (value - min(ends)) / span * (_WIDTH - 2 * _MARGIN)

    middle = _HEIGHT / 2
    x = place(published)
    interval = (
        f'<line class="interval" x1="{place(low):.1f}" x2="{place(high):.1f}" y1="{middle}" y2="{middle}"/>'
        if judgement.interval
        else ""
    )
    words = f"published {judgement.published}, ours {ours_text(judgement)}"
    if judgement.interval:
        words += f", interval {number(low)} to {number(high)}"
    return (
        f'<svg class="number-line" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img">'
        f"<title>{html.escape(words)}</title>"
        f'<line class="axis" x1="0" x2="{_WIDTH}" y1="{middle}" y2="{middle}"/>{interval}'
        f'<path class="published" d="M{x:.1f} {middle - 6}l5 6l-5 6l-5 -6z"/>'
        f'<circle class="ours" cx="{place(ours):.1f}" cy="{middle}" r="4"/></svg>'
    )


def claim_row(
    outcome: Outcome,
    *,
    folder: str = "",
    more: str = "",
    data: Mapping[str, str] | None = None,
    paper: str = "",
    most: int | None = None,
) -> str:
    """One claim as a line that unfolds.

    Parameters
    ----------
    outcome
        The checked claim.
    folder
        Way from the page to ``chapters/``, for the permalink.
    more
        Further HTML for the folded part.
    data
        Further data attributes, for the filters.
    paper
        Name of the paper, where claims of several stand together.
    most
        How many cells are shown; of a claim with more those that say most against it, and the way to the others.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> row = claim_row(claim("tax2015.b6.iwn-even").check())
    >>> row.startswith('<details class="claim" id="claim-tax2015-b6-iwn-even"')
    True
    """
    claim = outcome.claim
    name = anchor(claim.id)
    corrected = "corrected by the authors" if claim.corrected else ""
    where = ", ".join(filter(None, (paper, claim.place.partition(";")[0], corrected)))
    further = "".join(f' data-{key}="{html.escape(value)}"' for key, value in (data or {}).items())
    return (
        f'<details class="claim" id="{name}" data-verdict="{outcome.verdict.word}" '
        f'data-paper="{html.escape(claim.judges)}" '
        f'data-weight="{claim.weight.value}" data-checked="{outcome.checked_by}"{further}>'
        f"<summary>{shape(outcome.verdict, outcome.word)}"
        f'<span class="said">{html.escape(claim.statement)}</span><span class="short">{in_short(outcome)}</span>'
        f'<span class="where">{html.escape(where)}</span></summary>\n'
        f'<div class="claim-body"><p>{badge(outcome)} {html.escape(typeset(_sentence(outcome.reason)))}</p>\n'
        f"{_words(outcome)}{_cells(outcome.judgements, most)}"
        f"{_others(outcome, f'{folder}{page_of(claim)}.html#{name}', most)}\n{more}"
        f'<p class="claim-data">{html.escape(_how(outcome))}</p>\n'
        f'<p class="command"><code>{html.escape(claim.command)}</code>'
        f'<button type="button" class="copy" data-copy="{html.escape(claim.command)}">copy</button>'
        f'<a class="permalink" href="{folder}{page_of(claim)}.html#{name}">link to this claim</a></p>'
        "</div></details>"
    )


def claims_html(
    outcomes: Sequence[Outcome], *, name: str, caption: str = "", folder: str = "", filters: bool = False
) -> str:
    r"""The lines of several claims, the heaviest first, else in the order given: a slip of the pen stands last.

    Parameters
    ----------
    outcomes
        Checked claims.
    name, caption
        Id of the list, and what it is.
    folder
        Way from the page to ``chapters/``.
    filters
        Whether ``claims.js`` gives the reader filters by weight, verdict, way of checking and words.

    Examples
    --------
    >>> claims_html([], name="tab-example-claims", caption="None.")
    '<div class="claims" id="tab-example-claims"><p class="claims-caption">None.</p>\n\n</div>'
    """
    ordered = sorted(outcomes, key=lambda one: one.claim.weight.rank)
    rows = "\n".join(claim_row(outcome, folder=folder) for outcome in ordered)
    head = f'<p class="claims-caption">{html.escape(caption)}</p>' if caption else ""
    wanted = ' data-filters=""' if filters else ""
    return f'<div class="claims" id="{name}"{wanted}>{head}\n{rows}\n</div>'


def _words(outcome: Outcome) -> str:
    """The paper's own words, with their place, and where the authors corrected them."""
    said = "".join(f"<p>{html.escape(str(one))}</p>" for one in outcome.claim.words if isinstance(one, Sentence))
    text = f"<blockquote>{said}</blockquote>\n" if said else ""
    if outcome.claim.corrected:
        text += f"<p>Corrected by the authors: {html.escape(outcome.claim.corrected)}.</p>\n"
    return text


def _how(outcome: Outcome) -> str:
    how = {"arithmetic": "checked by arithmetic", "counted": "counted", "not public": "could not be checked"}
    claim = outcome.claim
    parts = [f"{claim.place}", f"{claim.weight.value} claim", how.get(outcome.checked_by, outcome.checked_by)]
    if claim.other_data:
        parts.append(f"asked of {claim.other_data}, which the paper did not use")
    return " · ".join(parts) + f". Data: {outcome.data}"


def _cells(judgements: Sequence[Judgement], most: int | None = None) -> str:
    if not judgements or (len(judgements) == 1 and judgements[0].difference is None):
        return ""
    if most is not None and len(judgements) > most:
        judgements = sorted(judgements, key=lambda one: -one.verdict.severity)[:most]
    rows = "".join(
        f"<tr><td>{html.escape(one.name)}</td><td>{html.escape(typeset(one.published))}</td>"
        f"<td>{html.escape(typeset(ours_text(one)))}</td><td>{number_line(one)}</td>"
        f"<td>{shape(one.verdict)}</td><td>{html.escape(typeset(why(one)))}</td></tr>"
        for one in judgements
    )
    heads = ("cell", "published", "ours", "published (diamond), ours (dot)", "verdict", "why")
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return f'<div class="cells"><table class="plain"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def why(judgement: Judgement) -> str:
    """The reason; of an exact cell without its two numbers, which stand beside it.

    Examples
    --------
    >>> from ltrlib.claims.cells import Value
    >>> from ltrlib.claims.rules import judge
    >>> from ltrlib.published.printed import Printed
    >>> why(judge(Value(Printed.parse("0.3529"), 6 / 17), own=True))
    'equal as printed'
    """
    if judgement.verdict is Verdict.EXACT and judgement.published in judgement.reason:
        # Hundreds of cells of a table say this, so it is short.
        return judgement.reason.rpartition(": ")[2].replace("equal at the printed digits", "equal as printed")
    return judgement.reason


def _others(outcome: Outcome, address: str, most: int | None) -> str:
    number = len(outcome.judgements)
    if most is None or number <= most:
        return ""
    return f'<p>{most} of {number} cells; <a href="{address}">all of them</a>.</p>'


def ours_text(judgement: Judgement) -> str:
    """Ours with its error in brackets, as papers print it.

    Examples
    --------
    >>> from ltrlib.claims.cells import Measured, Value
    >>> from ltrlib.claims.rules import judge
    >>> from ltrlib.published.printed import Printed
    >>> ours_text(judge(Value(Printed.parse("0.720(12)"), Measured(0.71722, 0.0117, 4))))
    '0.717(12)'
    """
    value, plus_minus, error = judgement.ours.partition(" ± ")
    if not plus_minus:
        return judgement.ours
    try:
        unit = "%" if value.endswith("%") else ""
        return measured(_plain(value), _plain(error)) + unit
    except ValueError:
        return judgement.ours


def _plain(text: str) -> float:
    return float(text.rstrip("%").replace(",", "").replace("−", "-"))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
