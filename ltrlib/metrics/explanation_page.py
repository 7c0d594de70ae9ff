"""An explanation as one HTML page that needs nothing else."""

from __future__ import annotations

import html

from ltrlib.metrics.explanation import Explanation
from ltrlib.metrics.explanation_text import METHOD, choice_words, depth_words, most_in_words, query_words, side
from ltrlib.metrics.offline_page import bars, page, table
from ltrlib.metrics.report import how_many

__all__ = ["explanation_page"]


def explanation_page(found: Explanation, *, ranking: str) -> str:
    """Write the page.

    Parameters
    ----------
    found
        The explanation.
    ranking
        What was scored, to be named on the page.

    Examples
    --------
    >>> from ltrlib.metrics.explaining import explain
    >>> text = explanation_page(explain("ndcg:yahoo", "ndcg:ranklib", [0, 0], [1, 2], [0, 2]), ranking="<mine>")
    >>> "&lt;mine&gt;" in text, "<mine>" in text
    (True, False)
    """
    names = [side(found.first, found.second), side(found.second, found.first)]
    largest = found.causes[0] if found.causes else None
    queries = how_many(found.n_queries, "query", "queries")
    summary = (
        f"{found.first} gives {ranking} a mean of {found.means[0]:.6f} over {queries}, {found.second} gives it "
        f"{found.means[1]:.6f}: a difference of {found.difference:+.6f}."
    )
    if largest is None:
        summary += " The two make every choice alike: they give every ranking the same number."
        return page(f"{names[0]} against {names[1]}", f"<p>{html.escape(summary)}</p>")
    summary += f" The largest part, {largest.part:+.6f}, comes from {largest.name}."
    steps, at = [], found.means[1]
    for cause in found.causes:
        steps.append((cause.name, at, at + cause.part))
        at += cause.part
    alt = "; ".join(f"{cause.name} {cause.part:+.4f}" for cause in found.causes)
    body = [
        f"<p>{html.escape(summary)}</p>",
        bars(steps, alt=f"From {names[1]}, {found.means[1]:.4f}, to {names[0]}, {found.means[0]:.4f}: {alt}"),
        _causes(found, names),
        f"<p>{html.escape(METHOD)}</p>",
        "<h2>The queries that contribute most</h2>",
        _queries(found, names),
    ]
    if len(found.by_rank) > 1:
        body += ["<h2>The same at each cut-off</h2>", _by_rank(found)]
    return page(f"{names[0]} against {names[1]}", "\n".join(body))


def _causes(found: Explanation, names: list[str]) -> str:
    rows = [
        [
            cause.name,
            choice_words(cause.choice, cause.first),
            choice_words(cause.choice, cause.second),
            f"{cause.part:+.6f}",
            f"{cause.lowest:+.6f} to {cause.highest:+.6f}",
            f"{cause.queries:,}",
            most_in_words(cause, found),
        ]
        for cause in found.causes
    ]
    rows.append(["sum", "", "", f"{sum(found.parts.values()):+.6f}", "", "", ""])
    return table(
        ["cause", *names, "part", "switched alone", "queries", "most in query"],
        rows,
        caption="What the two do differently, and what each difference is worth in the mean.",
        numbers=(3, 4, 5),
    )


def _queries(found: Explanation, names: list[str]) -> str:
    rows = [
        [
            query_words(one),
            f"{one.difference:+.6f}",
            *("left out" if value is None else f"{value:.4f}" for value in (one.first, one.second)),
            "–" if one.parts_at is None else str(one.parts_at),
            " ".join(map(str, one.labels_first)),
            " ".join(map(str, one.labels_second)),
            "; ".join(f"{name} {part:+.6f}" for name, part in one.causes.items() if part),
        ]
        for one in found.top
    ]
    header = [
        "query",
        "contribution",
        *names,
        "they part at rank",
        *(f"labels as {name} ranks" for name in names),
        "by",
    ]
    return table(
        header,
        rows,
        caption="Contribution of a query to the difference of the means; alike: adds the same by the same causes.",
        numbers=(1, 2, 3, 4),
    )


def _by_rank(found: Explanation) -> str:
    causes = [cause.name for cause in found.causes]
    rows = [
        [depth_words(depth), f"{sum(parts.values()):+.6f}", *(f"{parts[name]:+.6f}" for name in causes)]
        for depth, parts in found.by_rank.items()
    ]
    numbers = range(len(causes) + 2)
    return table(
        ["k", "difference", *causes], rows, caption="Parts of the difference, cut-off by cut-off.", numbers=numbers
    )
