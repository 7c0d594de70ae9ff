"""The page of ``ltrlib versus``: differences with their intervals, and query by query; one HTML file."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

import numpy as np

from ltrlib.metrics.comparing_runs import Difference
from ltrlib.metrics.offline_page import page, table
from ltrlib.metrics.report import how_many
from ltrlib.metrics.versus import Versus, outcome_words, versus_notes

__all__ = ["versus_page"]

_BARS = 400  # bars of the per-query picture; with more queries, each stands for several


def versus_page(found: Versus) -> str:
    """Write the page.

    Examples
    --------
    >>> from ltrlib.metrics.notation import parse
    >>> from ltrlib.metrics.run_files import Runs
    >>> from ltrlib.metrics.versus import versus
    >>> values = {parse("map"): {"<a>": [np.array([[0.5, 0.7, 0.9]])], "b": [np.array([[0.4, 0.5, 0.9]])]}}
    >>> text = versus_page(versus(Runs(values, [["1", "2", "3"]], [""], {"<a>": [["1"]], "b": [["1"]]}, [])))
    >>> "&lt;a&gt;" in text, "<a>" in text
    (True, False)
    """
    body = []
    for metric, some in found.differences.items():
        sure = [outcome_words(one) + f" than {one.second}" for one in some if one.outcome in ("better", "worse")]
        undecided = sum(one.outcome == "undecided" for one in some)
        over = how_many(found.runs.n_queries, "query", "queries")
        summary = f"{how_many(len(some), 'comparison')} by {metric} over {over}: "
        summary += f"{'; '.join(sure)}. " if sure else "no difference is sure. "
        body += [f"<h2>{html.escape(str(metric))}</h2>", f"<p>{html.escape(summary)}{undecided} undecided.</p>"]
        body += [_forest(some, found), _means(found, metric), _differences(some, found)]
        body += [_queries(one) for one in some]
    if found.segments:
        body += [f"<h2>By {html.escape(found.by or '')}</h2>", _segments(found)]
    body += ["<h2>How to read it</h2>", *(f"<p>{html.escape(note)}</p>" for note in versus_notes(found))]
    return page("Methods compared over seeds, folds and queries", "\n".join(body))


def _means(found: Versus, metric: object) -> str:
    rows = []
    for of, methods in found.means.items():
        if of == metric:
            for name, (one, spread) in methods.items():
                low, high = one.interval(found.level)
                shown = "–" if math.isnan(spread) else f"{spread:.4f}"
                rows.append([name, f"{one.mean:.4f}", f"{low:.4f} to {high:.4f}", shown])
    header = ["method", "mean", f"{found.level:.0%} interval", "sd over seeds"]
    return table(header, rows, caption="Means over queries and seeds.", numbers=(1, 2, 3))


def _cells(one: Difference, level: float) -> list[str]:
    low, high = one.estimate.interval(level)
    return [
        f"{one.first} − {one.second}",
        f"{one.estimate.mean:+.4f}",
        f"{low:+.4f} to {high:+.4f}",
        f"{one.p_holm:.4f}",
        f"{one.effect:+.2f}",
        f"{one.won:.0%} / {one.tied:.0%} / {one.lost:.0%}",
        outcome_words(one),
    ]


_HEADER = ["pair", "difference", "interval", "p (Holm)", "effect size", "queries won / tied / lost", "outcome"]


def _differences(some: Sequence[Difference], found: Versus) -> str:
    rows = [_cells(one, found.level) for one in some]
    caption = "Differences of the means; the effect size is in standard deviations of the per-query difference."
    return table(_HEADER, rows, caption=caption, numbers=(1, 2, 3, 4, 5))


def _segments(found: Versus) -> str:
    rows = [
        [str(metric), kind, f"{found.sizes[kind]:,}", *_cells(one, found.level)]
        for (metric, kind), some in found.segments.items()
        for one in some
    ]
    return table(["metric", found.by or "", "queries", *_HEADER], rows, caption="The same for each kind of query.")


def _forest(some: Sequence[Difference], found: Versus) -> str:
    """Each difference as a point with its interval; the margin as a band around zero."""
    ends = [end for one in some for end in one.estimate.interval(found.level) if not math.isnan(end)]
    ends += [0.0, *((-found.margin, found.margin) if found.margin else ())]
    low, high = min(ends), max(ends)
    span = (high - low) or 1.0
    left, width, step = 260, 400, 30

    def x(value: float) -> float:
        return left + width * (value - low) / span

    tall = len(some) * step + 10
    parts = []
    if found.margin:
        begin, wide = x(-found.margin), x(found.margin) - x(-found.margin)
        parts.append(f'<rect class="band" x="{begin:.1f}" y="0" width="{wide:.1f}" height="{tall}"/>')
    parts.append(f'<line class="axis" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="0" y2="{tall}"/>')
    for place, one in enumerate(some):
        y = place * step + 18
        begin, end = one.estimate.interval(found.level)
        name = html.escape(f"{one.first} − {one.second}"[:34])
        kind = "up" if one.estimate.mean >= 0 else "down"
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{name}</text>')
        if not math.isnan(begin):
            parts.append(f'<line class="reach {kind}" x1="{x(begin):.1f}" x2="{x(end):.1f}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="{kind}" cx="{x(one.estimate.mean):.1f}" cy="{y}" r="5"/>')
        parts.append(f'<text x="{left + width + 10}" y="{y + 4}">{one.estimate.mean:+.4f}</text>')
    alt = "; ".join(f"{one.first} minus {one.second}: {one.estimate.mean:+.4f}, {outcome_words(one)}" for one in some)
    return _picture("".join(parts), tall, alt)


def _queries(one: Difference) -> str:
    """Differences query by query, from the largest to the smallest."""
    each = np.sort(one.per_query)[::-1]
    if each.size > _BARS:
        each = np.array([part.mean() for part in np.array_split(each, _BARS)])
    largest = float(np.abs(each).max()) or 1.0
    middle, room, wide = 70.0, 60.0, 740 / each.size
    bars = []
    for place, value in enumerate(each.tolist()):
        tall = abs(value) / largest * room
        top = middle - tall if value > 0 else middle
        kind = "up" if value > 0 else "down"
        bars.append(
            f'<rect class="{kind}" x="{20 + place * wide:.2f}" y="{top:.2f}" width="{wide:.2f}" height="{tall:.2f}"/>'
        )
    axis = f'<line class="axis" x1="20" x2="760" y1="{middle}" y2="{middle}"/><text x="20" y="12">{largest:+.2f}</text>'
    alt = f"{one.first} is better in {one.won:.0%} of the queries, worse in {one.lost:.0%}, equal in {one.tied:.0%}"
    caption = f"{one.first} − {one.second}, query by query, sorted: {alt}."
    return _picture(axis + "".join(bars), 140, alt, caption)


def _picture(parts: str, tall: float, alt: str, caption: str = "") -> str:
    told = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    return (
        f'<figure><svg viewBox="0 0 780 {tall}" width="780" role="img" aria-label="{html.escape(alt)}">{parts}</svg>'
        f"{told}</figure>"
    )
