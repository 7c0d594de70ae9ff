"""What the page on conventions shows: claims against conventions, and a switch between tools."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ltrlib.across.conventions import orders
from ltrlib.across.conventions.rescoring import Rescored, rescore_all, worst_cell
from ltrlib.across.our_runs import tables as our_runs
from ltrlib.across.our_runs.records import QUERIES
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claims
from ltrlib.claims.show import badge, link, rescored_anchor
from ltrlib.claims.verdict import Verdict
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.published.chips import convention_chip
from ltrlib.published.names import name

__all__ = [
    "convention_versions",
    "flip_counts",
    "judged",
    "left_out",
    "numbers_of_claims",
    "numbers_of_orders",
    "prepared",
    "rescored_html",
    "summary",
    "verdict_words",
]


def verdict_words(outcome: Outcome) -> str:
    """A verdict as HTML; where data or protocol forbid one, also what was seen there."""
    if outcome.verdict is not Verdict.NOT_COMPARABLE or not outcome.judgements:
        return badge(outcome)
    there = worst_cell(outcome)
    return f"{badge(outcome)} <small>(there {there.shape} {there.word})</small>"


def rescored_html(rescored: Sequence[Rescored], *, static: str = "../_static") -> str:
    """Return the table: one row per claim, its verdict on the scoreboard, and one under each convention.

    Parameters
    ----------
    rescored
        Claims that can be checked with another NDCG.
    static
        Address of the folder with the style sheet.
    """
    titles = ["the paper's", *(orders.headed(convention) for convention in conventions())]
    heads = "".join(f'<th scope="col" class="tool"><span>{html.escape(name)}</span></th>' for name in titles)
    order = sorted(rescored, key=lambda one: (-len(one.flips), -len(one.worst_cell_flips)))
    body = "\n".join(_row(one) for one in order)
    return (
        f'<link rel="stylesheet" href="{static}/switch.css">\n'
        "<p>Verdict on each claim if our rankings are scored by each tool's NDCG@10; hover over a shape for its word. "
        "Framed: not the verdict of the scoreboard; claims with a framed one come first. "
        f"After {Verdict.NOT_COMPARABLE.shape}, {Verdict.NOT_COMPARABLE.word}, stands what was seen all the same. "
        "–: the tool defines no gains for the labels of the data.</p>\n"
        '<div class="rescored shapes" tabindex="0" role="region" aria-label="Claims under every convention"><table>'
        f'\n<thead><tr><th scope="col">claim</th>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'
    )


def _row(one: Rescored) -> str:
    title = f'<a href="{link(one.claim)}">{html.escape(one.claim.statement)}</a>'
    cells = f"<td>{_shape(one.own, one.judge)}</td>"
    for convention in conventions():
        outcome = one.under.get(convention)
        if outcome is None:
            cells += "<td>–</td>"
            continue
        flipped = convention in one.flips or convention in one.worst_cell_flips
        mark = ' class="flipped"' if flipped else ""
        cells += f"<td{mark}>{_shape(outcome, convention)}</td>"
    return f'<tr id="{rescored_anchor(one.claim.id)}"><th scope="row">{title}</th>{cells}</tr>'


def _shape(outcome: Outcome, judge: str) -> str:
    """A verdict as its shape; where data or protocol forbid one, also the shape of what was seen there."""
    words, shapes = outcome.word, outcome.verdict.shape
    if outcome.verdict is Verdict.NOT_COMPARABLE and outcome.judgements:
        there = worst_cell(outcome)
        words, shapes = f"{words} (there {there.word})", f"{shapes}{there.shape}"
    said = html.escape(f"{judge}: {words}")
    look = outcome.verdict.css_class
    return f'<span class="shape {look}" role="img" aria-label="{said}" title="{said}">{shapes}</span>'


def judged(rescored: Sequence[Rescored]) -> list[Rescored]:
    """Those that another convention can judge."""
    return [one for one in rescored if one.reason is None]


def flip_counts(rescored: Sequence[Rescored]) -> pd.DataFrame:
    """How many claims, and single values behind them, each convention judges otherwise than the scoreboard does."""
    rows = []
    for convention in conventions():
        there = [one for one in rescored if convention in one.under]
        flips = sum(convention in one.flips for one in there)
        cells = sum(len(one.own.judgements) for one in there)
        cells_flipped = sum(one.cells_flipped(convention) for one in there)
        rows.append((orders.named(convention), len(there), flips, cells, cells_flipped))
    return pd.DataFrame(rows, columns=["tools", "claims", "other verdict", "values", "judged otherwise"])


def left_out(rescored: Sequence[Rescored]) -> pd.DataFrame:
    """Claims that are checked on a record but cannot be checked with another NDCG: why, and how many."""
    reasons = Counter(one.reason for one in rescored if one.reason is not None)
    return pd.DataFrame(reasons.most_common(), columns=["why", "claims"]).astype({"why": "str"})


def numbers_of_claims(rescored: Sequence[Rescored]) -> dict[str, str]:
    """Numbers of the prose on verdicts."""
    counts = flip_counts(rescored)
    most = counts["other verdict"].max()
    tools = counts.loc[counts["other verdict"] == most, "tools"]
    return {
        "claims": f"{len(rescored)}",
        "flipping": f"{sum(bool(one.flips) for one in rescored)}",
        "most-claims": f"{most}",
        "most-claims-tool": " and ".join(names.replace(", ", "/") for names in tools),
    }


def numbers_of_orders(overview: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on orders of methods.

    Parameters
    ----------
    overview
        As :func:`ltrlib.across.conventions.orders.overview` returns it: without the base.
    """
    ours, elsewhere = overview["pairs that flip"], overview["pairs elsewhere"]
    beyond = int(overview["beyond noise"].sum() + overview["beyond noise there"].sum())
    ours_tool, their_tool = (str(overview["tools"].iloc[int(one.argmax())]) for one in (ours, elsewhere))
    also = " too" if ours_tool == their_tool else ""
    return {
        "conventions": f"{len(overview) + 1}",
        "most-flips": f"{ours.max()}",
        "most-flips-tool": ours_tool,
        "elsewhere-most": f"it is {their_tool}{also}, with {elsewhere.max()} pairs",
        "beyond": {0: "none is", 1: "1 is"}.get(beyond, f"{beyond} are"),
        "all-flips": f"{ours.sum() + elsewhere.sum()}",
        "verdicts": f"{overview['verdicts that flip'].max()}",
    }


class Prepared(NamedTuple):
    """What the page shows: all claims that were asked, those that could be, our rankings, others, orders, numbers."""

    asked: list[Rescored]
    rescored: list[Rescored]
    queries: pd.DataFrame
    others: dict[str, pd.DataFrame]
    overview: pd.DataFrame
    numbers: dict[str, str]


def prepared(*, base: str, standins: bool = False) -> Prepared:
    """Check every claim under every convention, and compare the orders of methods.

    Parameters
    ----------
    base
        The tool against which orders of methods are compared.
    standins
        Whether the generated data sets of our own runs count.
    """
    asked = rescore_all(claims())
    rescored = judged(asked)
    queries = our_runs.select(QUERIES.read().table, standins=standins)
    others = orders.recorded_orders()
    overview = orders.overview(queries, list(others.values()), base=base)
    numbers = numbers_of_claims(rescored) | numbers_of_orders(overview)
    numbers |= {"base": orders.named(base), "published": str(len(orders.verdicts(queries)))}
    return Prepared(asked, rescored, queries, others, overview, numbers)


def summary(numbers: Mapping[str, str]) -> list[str]:
    """What the page found, in three sentences.

    Parameters
    ----------
    numbers
        Those of :func:`prepared`.
    """
    return [
        f"Of {numbers['claims']} verdicts that rest on an NDCG of our rankings, {numbers['flipping']} would change "
        f"under some other tool, at most {numbers['most-claims']} under any single one.",
        f"Methods often change places, but within noise: of {numbers['all-flips']} pairs that change places between "
        f"two tools, {numbers['beyond']} beyond noise under both.",
        "So the tool decides how high a number is, but hardly ever which of two methods is better by more than noise.",
    ]


def convention_versions(
    queries: pd.DataFrame,
    others: Mapping[str, pd.DataFrame] | None = None,
    rescored: Sequence[Rescored] = (),
    *,
    base: str,
) -> dict[str, str]:
    """HTML for each convention: values and ranks of the methods, pairs that flip, verdicts that flip.

    Parameters
    ----------
    queries
        The table of ``own/queries``.
    others
        Other recorded rankings in the same form, by their title.
    rescored
        Claims under every convention.
    base
        The convention against which orders are compared; it comes first. Claims are compared with the scoreboard.
    """
    values, verdicts = orders.values(queries), orders.verdicts(queries)
    ranks = orders.ranks(queries)
    versions = {}
    for convention in sorted(values.columns.drop(["dataset", "method"]), key=lambda name: name != base):
        wide = values.pivot(index="method", columns="dataset", values=convention)
        wide = wide.reindex(index=ranks.index, columns=list(dict.fromkeys(values["dataset"])))
        wide = wide.dropna(axis="columns", how="all")
        parts = [f"<p>{convention_chip('ndcg@10', convention)} {_missing(queries, list(wide.columns))}</p>"]
        parts.append(_claims(rescored, convention))
        parts.append(_table(wide, ranks, convention, base))
        if convention != base:
            parts.append(_flips(orders.flips(queries, convention, base=base)))
        for title, table in (others or {}).items():
            parts.append(_orders(title, table, convention, base))
        if len(verdicts):
            parts.append(_verdicts(verdicts, convention, base))
        title = f"{orders.named(base)}, the base of the comparison" if convention == base else orders.named(convention)
        versions[title] = "\n".join(parts)
    return versions


def _missing(queries: pd.DataFrame, there: list[str]) -> str:
    absent = [name("data", key) for key in dict.fromkeys(queries["dataset"]) if key not in there]
    return f"It defines no gains for the labels of {html.escape(', '.join(absent))}." if absent else ""


def _claims(rescored: Sequence[Rescored], convention: str) -> str:
    """Claims whose verdict is another one than on the scoreboard."""
    there = [one for one in rescored if convention in one.under]
    if not there:
        return ""
    flipped = [one for one in there if convention in one.flips]
    items = "".join(
        f'<li><a href="#{rescored_anchor(one.claim.id)}">{html.escape(one.claim.statement)}</a> '
        f"{verdict_words(one.own)} → {verdict_words(one.under[convention])}</li>"
        for one in flipped
    )
    listed = f"<ul>{items}</ul>" if items else ""
    return f"<p>Of {len(there)} claims, {len(flipped) or 'none'} would get another verdict.</p>{listed}"


def _moved(now: float, before: float) -> str:
    """Mark a change of rank; there is none where the base has no gains for the labels."""
    return f" ({'↑' if now < before else '↓'} from {before:g})" if now < before or now > before else ""


def _table(wide: pd.DataFrame, ranks: pd.DataFrame, convention: str, base: str) -> str:
    head = "".join(f'<th scope="col">{html.escape(name("data", key))}</th>' for key in wide.columns)
    ranked = convention in ranks
    order = ranks[convention].sort_values(kind="stable").index if ranked else wide.index
    rows = []
    for method in order:
        cells = "".join(f"<td>{value:.4f}</td>" for value in wide.loc[method])
        place = ""
        if ranked:
            now, before = ranks.loc[method, convention], ranks.get(base, {}).get(method, math.nan)
            place = f"<td>{now:g}{_moved(now, before)}</td>"
        rows.append(f'<tr><th scope="row">{html.escape(str(method))}</th>{cells}{place}</tr>')
    last = '<th scope="col">rank by NWN</th>' if ranked else ""
    return _wide("Mean NDCG@10 of our runs.", f'<th scope="col">method</th>{head}{last}', rows)


def _orders(title: str, table: pd.DataFrame, convention: str, base: str) -> str:
    """Value and rank of each method on each data set of other rankings, and the pairs that change places."""
    values = orders.values(table).set_index(["dataset", "method"])[convention]
    places = orders.places(table)
    datasets = [str(key) for key in dict.fromkeys(table["dataset"]) if values[key].notna().any()]
    if not datasets:
        return ""
    head = "".join(f'<th scope="col">{html.escape(name("data", key))}</th>' for key in datasets)
    rows = []
    for method in values[datasets[0]].sort_values(ascending=False, kind="stable").index:
        cells = ""
        for dataset in datasets:
            now, before = (places.loc[(dataset, method), name] for name in (convention, base))
            cells += f"<td>{values[dataset, method]:.4f}, rank {now:g}{_moved(now, before)}</td>"
        rows.append(f'<tr><th scope="row">{html.escape(str(method))}</th>{cells}</tr>')
    shown = _wide(f"{html.escape(title)}: mean NDCG@10.", f'<th scope="col">method</th>{head}', rows)
    return shown if convention == base else shown + _flips(orders.flips(table, convention, base=base))


def _wide(caption: str, head: str, rows: Sequence[str]) -> str:
    return (
        f'<div class="wide-table" tabindex="0" role="region" aria-label="{caption}"><table class="table">'
        f"<caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _flips(flips: pd.DataFrame) -> str:
    beyond = int(flips["beyond noise"].sum())
    pairs = "1 pair of methods changes" if len(flips) == 1 else f"{len(flips) or 'No'} pairs of methods change"
    noise = f", {beyond or 'none'} of them beyond noise under both tools" if len(flips) else ""
    text = f"<p>{pairs} places on a data set{noise}"
    shown = [
        f"{row.better} and {row.worse} on {name('data', str(row.dataset))}"
        for row in flips.sort_values("beyond noise", ascending=False, kind="stable")[:8].itertuples()
    ]
    listed = f": {html.escape('; '.join(shown))}{' …' if len(flips) > 8 else ''}" if shown else ""
    return f"{text}{listed}{'' if len(flips) > 8 else '.'}</p>"


def _verdicts(verdicts: pd.DataFrame, convention: str, base: str) -> str:
    rows = []
    for row in verdicts.to_dict("records"):
        if not row[convention]:
            continue
        flipped = " (flipped)" if row[convention] != row[base] else ""
        place = f"{row['method']} on {name('data', row['dataset'])}: {row['published']} ({row['source']})"
        rows.append(f"<li>{html.escape(place)}: {badge(Verdict(row[convention]))}{flipped}</li>")
    if not rows:
        return ""
    return f"<p>Verdicts on published values, if our own runs are scored so:</p><ul>{''.join(rows)}</ul>"
