"""What the switch between NDCG conventions shows for each of them."""

from __future__ import annotations

import html

import pandas as pd

from ltrlib.claims.show import badge
from ltrlib.claims.verdict import Verdict
from ltrlib.metrics.tools import TOOLS
from ltrlib.studies import rescoring

__all__ = ["convention_versions"]


def convention_versions(queries: pd.DataFrame, *, base: str) -> dict[str, str]:
    """HTML for each convention: values and ranks of the methods, pairs that flip, verdicts that flip.

    Parameters
    ----------
    queries
        The table of ``own/queries``.
    base
        The convention against which flips are counted; it comes first.

    Examples
    --------
    >>> from ltrlib.studies.own_record import conventions
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "B"], "query": "x", "fold": 1,
    ...                         **{name: [0.2, 0.4] for name in conventions()}})
    >>> list(convention_versions(queries, base="ranklib"))[0]
    'ranklib, the base of the comparison'
    """
    values, verdicts = rescoring.values(queries), rescoring.verdicts(queries)
    ranks = rescoring.ranks(queries)
    versions = {}
    for convention in sorted(set(values.columns) - {"dataset", "method"}, key=lambda name: name != base):
        wide = values.pivot(index="method", columns="dataset", values=convention)
        wide = wide.reindex(index=ranks.index, columns=list(dict.fromkeys(values["dataset"])))
        wide = wide.dropna(axis="columns", how="all")
        parts = [f"<p>{html.escape(TOOLS[convention].title)}. {_missing(queries, list(wide.columns))}</p>"]
        parts.append(_table(wide, ranks, convention, base))
        if convention != base:
            parts.append(_flips(rescoring.flips(queries, convention, base=base)))
        if len(verdicts):
            parts.append(_verdicts(verdicts, convention, base))
        title = f"{base}, the base of the comparison" if convention == base else rescoring.named(convention)
        versions[title] = "\n".join(parts)
    return versions


def _missing(queries: pd.DataFrame, there: list[str]) -> str:
    absent = [name for name in dict.fromkeys(queries["dataset"]) if name not in there]
    return f"It has no gains for the labels of {html.escape(', '.join(absent))}." if absent else ""


def _table(wide: pd.DataFrame, ranks: pd.DataFrame, convention: str, base: str) -> str:
    head = "".join(f'<th scope="col">{html.escape(str(name))}</th>' for name in wide.columns)
    ranked = convention in ranks
    order = ranks[convention].sort_values(kind="stable").index if ranked else wide.index
    rows = []
    for method in order:
        cells = "".join(f"<td>{value:.4f}</td>" for value in wide.loc[method])
        place = ""
        if ranked:
            now, before = ranks.loc[method, convention], ranks.loc[method, base]
            moved = "" if now == before else f" ({'▲' if now < before else '▼'} from {before:g})"
            place = f"<td>{now:g}{moved}</td>"
        rows.append(f'<tr><th scope="row">{html.escape(str(method))}</th>{cells}{place}</tr>')
    last = '<th scope="col">rank by NWN</th>' if ranked else ""
    return (
        '<div class="wide-table"><table class="table"><caption>Mean NDCG@10 of our runs.</caption>'
        f'<thead><tr><th scope="col">method</th>{head}{last}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _flips(flips: pd.DataFrame) -> str:
    beyond = int(flips["beyond noise"].sum())
    text = f"<p>{len(flips)} pairs of methods change places on a data set, {beyond} of them beyond noise both ways"
    shown = [
        f"{row.better} and {row.worse} on {row.dataset}"
        for row in flips.sort_values("beyond noise", ascending=False)[:8].itertuples()
    ]
    listed = f": {html.escape('; '.join(shown))}{' …' if len(flips) > 8 else ''}" if shown else ""
    return f"{text}{listed}.</p>"


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
    return f"<p>Verdicts on published values, if ours are scored so:</p><ul>{''.join(rows)}</ul>"
