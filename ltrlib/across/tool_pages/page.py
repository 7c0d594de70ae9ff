"""The pages of the tools as HTML, generated from the presets."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import cache
from urllib.parse import quote

from ltrlib.across.our_runs.records import QUERIES, mean_values
from ltrlib.across.playground.presets import EXAMPLES
from ltrlib.across.tool_pages.notes import NOTES
from ltrlib.metrics.metric import MAP, NDCG
from ltrlib.metrics.ndcg_by_tool import CUTOFF, conventions
from ltrlib.metrics.tool_table import in_words
from ltrlib.metrics.tools import TOOLS, Tool
from ltrlib.published.names import names

__all__ = ["differences", "one_ranking", "tool_pages", "tools_table"]

_DATASET, _METHOD = "mq2008", "LambdaMART"
_CHECKED = {
    "golden": "was checked against recorded output of the original",
    "live": "is checked against the installed program in every test run",
    "documented": "was taken from its documentation or source; it was not checked against a run",
}
_GAIN = {"exp2": "2<sup>label</sup> − 1", "linear": "label"}
_DISCOUNT = {"log2": "log<sub>2</sub>(i&nbsp;+&nbsp;1)", "letor": "log<sub>2</sub>(max(i,&nbsp;2))", "reciprocal": "i"}
_QUESTIONS = {
    "gain": "a label is worth",
    "discount": "weights of ranks 1, 2, 3",
    "ideal": "the best order is made from",
    "empty": "a query without relevant documents scores",
    "short": "a list shorter than k",
    "ties": "order of equal scores",
    "precision": "scores are compared in",
    "cut-off": "cut-off if none is given",
}
_ANSWERS = {
    ("gain", "label"): "itself",
    ("short", "own length"): "counts at its own length",
    ("short", "0"): "scores 0",
}
_NAMES = {"short": "short list", "empty": "empty query", "ideal": "best order from", "cut-off": "default cut-off"}
_METRICS = {
    "p": "precision",
    "rprec": "R-precision",
    "recall": "recall",
    "success": "success",
    "bpref": "bpref",
    "infap": "infAP",
    "judged": "judged",
    "tau": "Kendall's tau",
    "numret": "numRet",
    "numrel": "numRel",
    "numrelret": "numRelRet",
    "numq": "numQ",
}
"""Metrics that are neither in the registry of names nor written in capitals."""


def differences(one: str, other: str) -> dict[str, tuple[str, str]]:
    """How the NDCGs of two tools differ: for each choice on which they do, what either does.

    Parameters
    ----------
    one, other
        Names of presets.

    Examples
    --------
    >>> differences("xgboost", "trec_eval")["gain"]
    ('2^label − 1', 'label')
    >>> differences("yahoo", "lightgbm")
    {}
    """
    first, second = _choices(one), _choices(other)
    return {name: (first[name], second[name]) for name in first if first[name] != second[name]}


def _choices(name: str) -> dict[str, str]:
    tool = TOOLS[name]
    # The ideal list matters for TREC runs only; with a ranked list of all judged documents it is the same.
    return in_words(_ndcg(tool)) | {"cut-off": str(tool.default_k or "none")}


def _marked(words: str) -> str:
    """Words of a choice as HTML, with the exponent raised."""
    return html.escape(words).replace("2^label", "2<sup>label</sup>")


def _short(name: str) -> str:
    """A tool's title without the name of its file."""
    return html.escape(TOOLS[name].title.partition(" (")[0])


def _ndcg(tool: Tool) -> NDCG:
    found = tool.template("ndcg", CUTOFF)
    assert isinstance(found, NDCG)  # every preset has one
    return found


def tool_pages() -> dict[str, tuple[str, str]]:
    """Title and content of each tool's page, by its address in the book.

    Examples
    --------
    >>> title, content = tool_pages()["tools/xgboost"]
    >>> title
    'XGBoost: which NDCG is it?'
    """
    return {f"tools/{name}": (f"{tool.title}: which NDCG is it?", _page(tool)) for name, tool in TOOLS.items()}


def _page(tool: Tool) -> str:
    parts = (_summary(tool), _formula(tool), _against(tool), _behaviour(tool), _commands(tool))
    return '<div class="tool-page">' + "\n".join(parts) + "</div>"


def _summary(tool: Tool) -> str:
    alike = [other for other in TOOLS if other != tool.name and not differences(tool.name, other)]
    values = one_ranking()
    others = [value for name, value in values.items() if name != tool.name]
    number = (
        f"It gives one ranking of MQ2008 an NDCG@{CUTOFF} of "
        f"<strong>{values[tool.name]:.4f}</strong>; the other tools give {min(others):.4f} to {max(others):.4f}."
    )
    close = [name for name in TOOLS if name not in (tool.name, *alike) and _the_same(values[name], values[tool.name])]
    same = "No other tool here has exactly the same rules."
    if alike:
        same = f"It computes the same NDCG as {_listed(alike)}."
    if close:
        same += f" To this ranking, {_listed(close)} {'give' if len(close) > 1 else 'gives'} the same value."
    checked = f"Version: {html.escape(tool.version)}. Our preset {_CHECKED[tool.checked]}."
    ways = (
        f'<a href="../chapters/04-tools.html">All tools</a> · <a href="{_playground(tool.name, alike)}">Try a list</a>'
    )
    return (
        f'<div class="summary"><ul><li>{number}</li><li>{same}</li><li>{checked}</li></ul></div>\n'
        f'<p class="ways">{ways}</p>'
    )


def _listed(names: list[str]) -> str:
    links = [f'<a href="{name}.html">{html.escape(TOOLS[name].title)}</a>' for name in names]
    return links[0] if len(links) == 1 else f"{', '.join(links[:-1])} and {links[-1]}"


@cache
def one_ranking() -> Mapping[str, float]:
    """NDCG@10 of one recorded ranking by each tool."""
    queries = QUERIES.read().table
    rows = queries[(queries["dataset"] == _DATASET) & (queries["method"] == _METHOD)]
    means = mean_values(rows, list(conventions())).set_index("metric")["value"]
    return {name: float(means[first]) for first, names in conventions().items() for name in names}


def _formula(tool: Tool) -> str:
    ndcg = _ndcg(tool)
    gain = _GAIN[ndcg.gain] if isinstance(ndcg.gain, str) else "gain(label)"
    worth = [f"{gain:g} for label {label}" for label, gain in enumerate(ndcg.gain)] if gain == "gain(label)" else []
    table = f" The gain is {', '.join(worth[:-1])} and {worth[-1]}." if worth else ""
    return (
        "<h2>The formula</h2>\n"
        '<p class="formula">NDCG@k = (1 / ideal) × Σ<sub>i = 1 … k</sub> '
        f"{f'({gain})' if ' ' in gain else gain} / {_DISCOUNT[ndcg.discount]}. The sum runs over the documents in the "
        f"order of their scores; <em>ideal</em> is the sum for the best order.{table}</p>"
    )


def _behaviour(tool: Tool) -> str:
    rows = "".join(
        f'<tr><th scope="row">{_QUESTIONS[name]}</th><td>{_marked(_ANSWERS.get((name, words), words))}</td></tr>'
        for name, words in _choices(tool.name).items()
    )
    families = [family.rstrip("@") for family in tool.families if family != "ndcg"]
    registry = names("metric")
    other = ", ".join(_METRICS.get(one) or (registry[one].name if one in registry else one.upper()) for one in families)
    other = other or "none"
    average = tool.template("map", CUTOFF)
    if isinstance(average, MAP):
        relevant = f"label ≥ {average.relevant_from}"
        rows += f'<tr><th scope="row">average precision counts as relevant</th><td>{relevant}</td></tr>'
    rows += f'<tr><th scope="row">other metrics in its preset</th><td>{html.escape(other)}</td></tr>'
    return (
        f'<h2>What it does where tools differ</h2>\n<table class="table"><tbody>{rows}</tbody></table>\n'
        f"<p>{_marked(NOTES[tool.name])}</p>"
    )


def _against(tool: Tool) -> str:
    values = one_ranking()
    rows = "".join(
        f'<tr id="{other}"><th scope="row"><a href="{other}.html">{_short(other)}</a></th>'
        f"<td>{_differing(tool.name, other)}</td>"
        f'<td class="number">{_signed(values[other] - values[tool.name])}</td>'
        f'<td><a href="{_playground(tool.name, [other])}">try a list</a></td></tr>'
        for other in TOOLS
        if other != tool.name
    )
    return (
        "<h2>Against every other tool</h2>\n"
        '<div class="pst-scrollable-table-container"><table class="table against prose"><thead><tr>'
        '<th scope="col">tool</th>'
        f'<th scope="col">what differs: {_short(tool.name)} → the other</th>'
        f'<th scope="col" class="number">NDCG@{CUTOFF}</th><th scope="col">playground</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>\n"
        f"<p>NDCG@{CUTOFF}: the other tool's value for the ranking above, less the {values[tool.name]:.4f} of this "
        "one.</p>"
    )


def _differing(one: str, other: str) -> str:
    found = differences(one, other)
    if not found:
        return "nothing"
    parts = (
        f"<strong>{_NAMES.get(name, name)}</strong> {_marked(left)} → {_marked(right)}"
        for name, (left, right) in found.items()
    )
    return " · ".join(parts)


def _signed(difference: float) -> str:
    return "the same" if _the_same(difference, 0.0) else f"{difference:+.4f}".replace("-", "−")


def _the_same(one: float, other: float) -> bool:
    """Whether two values look the same with four digits."""
    return abs(one - other) < 5e-5


def _playground(one: str, others: list[str]) -> str:
    """The playground with this tool beside the first of the others, or any other if there is none."""
    other = others[0] if others else next(name for name in TOOLS if name != one)
    # A list on which ties, relevant documents and the cut-off all play a part.
    example = EXAMPLES["equal scores"]
    labels, scores = (example[name].replace(" ", ",") for name in ("labels", "scores"))
    state = f"labels={labels}&scores={scores}&k={example['k']}&a={quote(one)}&b={quote(other)}"
    return html.escape(f"../chapters/03-playground.html?{state}")


def _commands(tool: Tool) -> str:
    other = "trec_eval" if tool.name == "ranklib" else "ranklib"
    lines = (
        f"ltrlib eval --data test.txt --scores scores.txt --metric ndcg@10:{tool.name}",
        f"ltrlib explain --data test.txt --scores scores.txt --between {tool.name} {other}",
    )
    return (
        "<h2>Compute it</h2>\n"
        '<div class="highlight-sh notranslate"><div class="highlight">'
        f"<pre>{html.escape(chr(10).join(lines))}</pre></div></div>\n"
        f'<p>In Python: <code>evaluate("ndcg@10:{tool.name}", labels, scores, query_offsets)</code>.</p>'
    )


def tools_table(*, folder: str = "../tools") -> str:
    """All tools in one table, each with a link to its page.

    Parameters
    ----------
    folder
        Address of the tools' pages, as seen from the page that shows the table.

    Examples
    --------
    >>> tools_table().count("<tr")
    18
    """
    values = one_ranking()
    columns = ("gain", "empty", "short", "discount", "ties")
    head = "".join(f'<th scope="col">{_NAMES.get(name, name)}</th>' for name in columns)
    rows = []
    for name in sorted(TOOLS, key=lambda name: (values[name], list(TOOLS).index(name))):
        words = in_words(_ndcg(TOOLS[name]))
        words = {column: _marked(words[column]) for column in columns}
        words["discount"] = f"1&nbsp;/&nbsp;{_DISCOUNT[_ndcg(TOOLS[name]).discount]}"
        cells = "".join(f"<td>{words[column]}</td>" for column in columns)
        rows.append(
            f'<tr><th scope="row"><a href="{folder}/{name}.html">{_short(name)}</a></th>'
            f'<td class="number">{values[name]:.4f}</td>{cells}</tr>'
        )
    return (
        '<div class="pst-scrollable-table-container" tabindex="0"><table class="table"><thead><tr>'
        '<th scope="col">tool</th>'
        f'<th scope="col" class="number">NDCG@{CUTOFF}</th>{head}</tr></thead>\n'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
