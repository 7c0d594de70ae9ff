"""What the switch between NDCG conventions shows for each of them."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

import pandas as pd

from ltrlib.across.conventions import orders
from ltrlib.across.conventions.claims import Rescored
from ltrlib.across.conventions.tables import verdict_words
from ltrlib.claims.show import badge, rescored_anchor
from ltrlib.claims.verdict import Verdict
from ltrlib.metrics.tools import TOOLS

__all__ = ["convention_versions"]


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

    Examples
    --------
    >>> from ltrlib.metrics.ndcg_by_tool import conventions
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "B"], "query": "x", "fold": 1,
    ...                         **{name: [0.2, 0.4] for name in conventions()}})
    >>> list(convention_versions(queries, base="ranklib"))[0]
    'ranklib, the base of the comparison'
    """
    values, verdicts = orders.values(queries), orders.verdicts(queries)
    ranks = orders.ranks(queries)
    versions = {}
    for convention in sorted(set(values.columns) - {"dataset", "method"}, key=lambda name: name != base):
        wide = values.pivot(index="method", columns="dataset", values=convention)
        wide = wide.reindex(index=ranks.index, columns=list(dict.fromkeys(values["dataset"])))
        wide = wide.dropna(axis="columns", how="all")
        parts = [f"<p>{html.escape(TOOLS[convention].title)}. {_missing(queries, list(wide.columns))}</p>"]
        parts.append(_claims(rescored, convention))
        parts.append(_table(wide, ranks, convention, base))
        if convention != base:
            parts.append(_flips(orders.flips(queries, convention, base=base)))
        for title, table in (others or {}).items():
            parts.append(_orders(title, table, convention, base))
        if len(verdicts):
            parts.append(_verdicts(verdicts, convention, base))
        title = f"{base}, the base of the comparison" if convention == base else orders.named(convention)
        versions[title] = "\n".join(parts)
    return versions


def _missing(queries: pd.DataFrame, there: list[str]) -> str:
    absent = [name for name in dict.fromkeys(queries["dataset"]) if name not in there]
    return f"It has no gains for the labels of {html.escape(', '.join(absent))}." if absent else ""


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
    return f"<p>Of {len(there)} claims {len(flipped)} would get another verdict.</p>{listed}"


def _moved(now: float, before: float) -> str:
    """Mark a change of rank; there is none where the base has no gains for the labels."""
    return f" ({'▲' if now < before else '▼'} from {before:g})" if now < before or now > before else ""


def _table(wide: pd.DataFrame, ranks: pd.DataFrame, convention: str, base: str) -> str:
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in wide.columns)
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
    datasets = [name for name in dict.fromkeys(table["dataset"]) if values[name].notna().any()]
    if not datasets:
        return ""
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in datasets)
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
    text = f"<p>{len(flips)} pairs of methods change places on a data set, {beyond} of them beyond noise both ways"
    shown = [
        f"{row.better} and {row.worse} on {row.dataset}"
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
        place = f"{row['method']} on {row['dataset']}: {row['published']} ({row['source']})"
        rows.append(f"<li>{html.escape(place)}: {badge(Verdict(row[convention]))}{flipped}</li>")
    if not rows:
        return ""
    return f"<p>Verdicts on published values, if our own runs are scored so:</p><ul>{''.join(rows)}</ul>"
