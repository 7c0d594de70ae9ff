"""The pages of the methods, the comparison of two, and the list of all, as HTML."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import quote

import pandas as pd

from ltrlib.across.method_pages.standings import (
    DEFAULT_CONVENTION,
    FULL_NAMES,
    Row,
    methods,
    our_methods,
    our_pairs,
    places,
    printed_by_koppel,
    rerun_of_koppel,
    row,
)
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.metrics.tools import TOOLS
from ltrlib.papers.tax2015.counted import counts
from ltrlib.papers.tax2015.matrix import results
from ltrlib.project import project_data
from ltrlib.published.names import name
from ltrlib.published.tables import load_table

__all__ = ["address", "comparison_html", "method_pages", "methods_list"]

_FIRST = ("LambdaMART", "ListNet")
_METRICS = ("NDCG@3", "NDCG@5", "NDCG@10", "MAP")
_DATASETS = (
    "mq2008",
    "ohsumed",
    "clueweb09-ltr",
    "mslr-web10k-sample",
    "lightgbm-example",
    "standin/mq2007",
    "standin/mslr",
    "standin/yahoo-set1",
    "standin/yahoo-set2",
)
_SHOWN_CONVENTIONS = ("letor3", "ranklib", "trec_eval", "yahoo", "catboost")
_WHO = {
    "Best Single Feature": "A baseline: documents are sorted by a single feature.",
    "DirectRanker": "A pairwise neural network, described by Köppel et al. (2019).",
    "MART": "Gradient-boosted regression trees: a pointwise method.",
}
"""What the tables of families and of sources do not say."""

_MANY = 8
"""A longer list of methods is folded."""

_COLUMNS = {
    "mslr_ndcg": "MSLR-WEB10K, NDCG@10",
    "mslr_map": "MSLR-WEB10K, MAP",
    "mq2008_ndcg": "MQ2008, NDCG@10",
    "mq2008_map": "MQ2008, MAP",
    "mq2007_ndcg": "MQ2007, NDCG@10",
    "mq2007_map": "MQ2007, MAP",
}


def address(method: str) -> str:
    """Address of a method's page in the book, without its ending.

    Examples
    --------
    >>> address("RankSVM-Struct"), address("AdaRank-MAP")
    ('methods/ranksvm-struct', 'methods/adarank-map')
    """
    return "methods/" + re.sub(r"[^a-z0-9]+", "-", method.lower()).strip("-")


def method_pages() -> dict[str, tuple[str, str]]:
    """Title and content of each method's page, by its address in the book.

    Examples
    --------
    >>> pages = method_pages()
    >>> pages["methods/lruf"][0]
    'LRUF: where does it stand?'
    """
    return {address(one): (f"{FULL_NAMES.get(one, one)}: where does it stand?", _page(one)) for one in methods()}


def _page(method: str) -> str:
    parts = [_summary(method)]
    if method in our_methods():
        parts.append(_ours(method))
    if row(method) is not None:
        parts += [_row_of_b6(method), _results(method)]
    if method in printed_by_koppel():
        parts.append(_koppel(method))
    return '<div class="method-page">' + "\n".join(parts) + "</div>"


def _summary(method: str) -> str:
    sentences = [_who(method)]
    found = row(method)
    if found is None:
        sentences.append("It is not among the 87 methods of Table B.6 (Tax et al. 2015).")
    else:
        sentences.append(_standing(found))
    if method in our_methods():
        pairs = our_pairs()["mq2008", DEFAULT_CONVENTION]
        at = our_methods().index(method)
        better = int((pairs.mean > pairs.mean[at]).sum())
        sentences.append(
            f"In our own runs on MQ2008 it has an NDCG@10 of <strong>{pairs.mean[at]:.4f}</strong> as "
            f"{html.escape(TOOLS[DEFAULT_CONVENTION].title)} computes it, "
            f"place {better + 1} of {len(our_methods())}."
        )
    points = "".join(f"<li>{sentence}</li>" for sentence in sentences)
    compare = f"../chapters/05-methods.html?a={quote(method)}"
    return (
        f'<div class="summary"><ul>{points}</ul></div>\n'
        f'<p class="ways"><a href="{compare}">Compare it with any other method</a> · '
        '<a href="../chapters/05-methods.html#all-methods">All methods</a></p>'
    )


def _who(method: str) -> str:
    if method in _WHO:
        return _WHO[method]
    families = pd.read_csv(project_data("methods.csv")).set_index("method")["family"]
    family = families.get(method)
    described = load_table("tax2015", "a5")
    source = described.text(method, "described_in") if method in described.rows else ""
    if not isinstance(family, str) or not family:
        return f"Described by {html.escape(source)}." if source else "A method."
    return f"A {family} method{f', described by {html.escape(source)}' if source else ''}."


def _standing(found: Row) -> str:
    above = len(found.above)
    front = (
        "It is on the Pareto front: no method has both a higher NWN and more comparisons."
        if found.on_front
        else f"It is not on the Pareto front: {_number(above, 'method')} {'has' if above == 1 else 'have'} both a "
        "higher NWN and more comparisons."
    )
    total = found.total
    return (
        f"In Table B.6 it won {total.wn:,} of {total.iwn:,} comparisons. This share, its NWN, is "
        f"<strong>{float(total.nwn):.4f}</strong>: place {found.place} of {found.methods}. {front}"
    )


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _table(head: list[str], rows: list[list[str]], caption: str = "", align: str = "") -> str:
    """A table of cells that are HTML already; the first of each row is its head, and ``r`` stands to the right."""
    places = [' class="number"' if letter == "r" else "" for letter in align.ljust(len(head), "l")]
    top = "".join(f'<th scope="col"{place}>{cell}</th>' for place, cell in zip(places, head, strict=True))
    body = "".join(
        f'<tr><th scope="row">{first}</th>'
        f"{''.join(f'<td{place}>{cell}</td>' for place, cell in zip(places[1:], rest, strict=True))}</tr>"
        for first, *rest in rows
    )
    above = f"<caption>{caption}</caption>" if caption else ""
    return (
        '<div class="pst-scrollable-table-container" tabindex="0"><table class="table">'
        f"{above}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _ours(method: str) -> str:
    at = our_methods().index(method)
    rows = []
    for dataset in _DATASETS:
        main = our_pairs().get((dataset, DEFAULT_CONVENTION))
        if main is None:
            continue
        better = main.mean - main.mean[at] > main.half_width[at]
        worse = main.mean[at] - main.mean > main.half_width[at]
        means = [
            f"{pairs.mean[at]:.4f}" if (pairs := our_pairs().get((dataset, convention))) is not None else "–"
            for convention in _SHOWN_CONVENTIONS
        ]
        rows.append([html.escape(name("data", dataset)), str(int(worse.sum())), str(int(better.sum())), *means])
    head = ["data", "beats", "loses to", *(_tool_head(convention) for convention in _SHOWN_CONVENTIONS)]
    return (
        "<h2>Our own runs</h2>\n"
        + _table(
            head,
            rows,
            "Rankers that it beats and loses to, and the NDCG@10 of its rankings by different tools.",
            "l" + "r" * (len(head) - 1),
        )
        + f"<p>Beats, loses to: how many of our other {len(our_methods()) - 1} rankers, beyond noise. That is, the 95% "
        "interval of the paired difference over the test queries does not contain zero, by "
        f"{html.escape(TOOLS[DEFAULT_CONVENTION].title)}'s NDCG@10. "
        "A dash means that the tool has no gain for the data set's highest labels.</p>"
    )


def _tool_head(convention: str) -> str:
    titles = ", ".join(name("tool", one) for one in conventions()[convention][:2])
    return f'<a href="../tools/{convention}.html">{html.escape(titles)}</a>'


def _row_of_b6(method: str) -> str:
    rows = []
    for metric in (*_METRICS, "all"):
        one = counts().get((method, metric))
        if one is not None:
            label = "all metrics" if metric == "all" else metric
            rows.append([label, str(one.datasets), f"{one.wn:,}", f"{one.iwn:,}", f"{float(one.nwn):.4f}"])
    found = row(method)
    assert found is not None
    return (
        "<h2>Its row of Table B.6</h2>\n"
        + _table(["metric", "data sets", "wins", "comparisons", "NWN"], rows, align="lrrrr")
        + _above(found.above)
    )


def _above(methods: tuple[str, ...]) -> str:
    links = ", ".join(f'<a href="{address(one)[8:]}.html">{html.escape(one)}</a>' for one in methods)
    if len(methods) <= _MANY:
        return f"<p>Higher NWN and more comparisons: {links}.</p>" if links else ""
    head = f"The {len(methods)} methods with a higher NWN and more comparisons"
    return f'<details class="above"><summary>{head}</summary><p>{links}.</p></details>'


def _results(method: str) -> str:
    mine = places()[places()["method"] == method]
    rows = [
        [
            html.escape(str(one.dataset)),
            str(one.metric),
            html.escape(str(one.printed)),
            f"{one.place} of {one.of}",
            html.escape(str(one.origin)),
            html.escape(str(one.doubt)),
        ]
        for one in mine.itertuples()
    ]
    doubtful = int((mine["doubt"] != "").sum())
    doubts = f", {doubtful} of them in doubt" if doubtful else ""
    head = ["data set", "metric", "value", "place", "source", "doubt"]
    if not doubtful:
        head, rows = head[:-1], [row[:-1] for row in rows]
    meant = load_table("tax2015", "doubts")
    why = "".join(
        f"<p><code>{html.escape(code)}</code>: {html.escape(meant.text(code, 'what'))}</p>"
        for code in dict.fromkeys(mine["doubt"])
        if code
    )
    return (
        f"<h2>The results behind it</h2>\n<details{' open' if len(rows) <= 12 else ''}>"
        f"<summary>{_number(len(rows), 'published result')}{doubts}</summary>"
        + _table(head, rows, align="llrr")
        + f"{why}</details>"
    )


def _koppel(method: str) -> str:
    printed, ours = printed_by_koppel()[method], rerun_of_koppel().get(method, {})
    rows = [
        [_COLUMNS[column], html.escape(text), html.escape(ours.get(column, "–"))]
        for column, text in printed.items()
        if text
    ]
    head = ["data set, metric", "published", "ours, same protocol"]
    if not ours:
        head, rows = head[:-1], [row[:-1] for row in rows]
    brackets = any("(" in text for text in printed.values())
    errors = "Brackets: the published error, in units of the last digit. " if brackets else ""
    errors += "After ±: our standard error over the folds. " if ours else ""
    protocol = "This is not the protocol of our own runs above: see" if method in our_methods() else "More in"
    return (
        "<h2>In Table 1 of Köppel et al. 2019</h2>\n" + _table(head, rows, align="lrr") + f"<p>{errors}{protocol} "
        '<a href="../chapters/42-koppel2019-table1.html">Table 1, two protocols</a>.</p>'
    )


def comparison_html(*, static: str = "../_static") -> str:
    """Return the choice of two methods with all data that it needs; without JavaScript, where to look instead.

    Parameters
    ----------
    static
        Address of the folder with script and style sheet.

    Examples
    --------
    >>> "methods-compare" in comparison_html()
    True
    """
    data = json.dumps(_data(), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"""<link rel="stylesheet" href="{static}/methods.css">
<noscript><p>The comparison needs JavaScript; each method's page below has its numbers.</p></noscript>
<div id="methods-compare" hidden>
<div class="methods-choice">
<div><label for="methods-a">Is</label><select id="methods-a"></select></div>
<div><label for="methods-b">better than</label><select id="methods-b"></select></div>
<div><label for="methods-convention">by the NDCG@10 of</label><select id="methods-convention"></select></div>
</div>
<div id="methods-answer" aria-live="polite"></div>
</div>
<script type="application/json" id="methods-data">{data}</script>
<script src="{static}/methods.js" defer></script>"""


def _data() -> dict[str, Any]:
    table = results()
    by_method: dict[str, dict[str, str]] = {}
    for one in table.itertuples():
        by_method.setdefault(str(one.method), {})[f"{one.dataset}|{one.metric}"] = str(one.printed)
    return {
        "methods": list(methods()),
        "ours": list(our_methods()),
        "first": _FIRST,
        "convention": DEFAULT_CONVENTION,
        "conventions": {key: ", ".join(TOOLS[one].title for one in names) for key, names in conventions().items()},
        "datasets": [_dataset(dataset) for dataset in _DATASETS],
        "results": by_method,
    }


def _dataset(dataset: str) -> dict[str, Any]:
    pairs = {}
    for convention in conventions():
        found = our_pairs().get((dataset, convention))
        if found is None:
            continue
        n = len(found.mean)
        # Row by row above the diagonal; the script counts the same way.
        half = [round(float(found.half_width[i, j]), 6) for i in range(n) for j in range(i + 1, n)]
        mean = [round(float(value), 6) for value in found.mean]
        pairs[convention] = {"mean": mean, "half": half, "queries": found.queries}
    return {"title": name("data", dataset), "standin": dataset.startswith("standin/"), "pairs": pairs}


def methods_list(*, folder: str = "..") -> str:
    """All methods with a link to their pages; those that we trained ourselves first.

    Examples
    --------
    >>> methods_list().count("<li>") == len(methods())
    True
    """

    def listed(names: list[str]) -> str:
        links = (
            f'<li><a href="{folder}/{address(one)}.html">{html.escape(FULL_NAMES.get(one, one))}</a></li>'
            for one in names
        )
        return f'<ul class="methods-list">{"".join(links)}</ul>'

    mine = sorted(our_methods(), key=str.lower)
    rest = [one for one in methods() if one not in mine]
    return f"<h3>Trained here</h3>{listed(mine)}<h3>Only in Table B.6</h3>{listed(rest)}"
