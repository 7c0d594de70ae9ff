"""Names of measures in other tools: what ``ndcg_cut_10``, ``nDCG(dcg='exp-log2')@10`` and ``ndcg_burges@10`` are here.

A name that only one tool has is taken as that tool computes it, unless another tool is asked for. A name that this
library shares with others (``map``, ``nDCG@10``, ``mrr``) is taken by this library's own rules.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ltrlib.errors import UsageError

__all__ = ["ALIASES", "FOREIGN_CHOICES", "Foreign", "translate"]

ALIASES = {
    "ap": "map",
    "hits": "numrelret",
    "kendall": "tau",
    "pre": "p",
    "precision": "p",
    "r": "recall",
    "rr": "mrr",
}
"""Other words for a family, meant as this library computes it."""


@dataclass(frozen=True)
class Foreign:
    """A measure of another tool in this library's terms.

    Parameters
    ----------
    family, k
        What it is.
    choices
        What its name says about the convention, as text.
    tool
        Whose name it is.

    Examples
    --------
    >>> translate("P(rel=2)@5")
    (Foreign(family='p', k=5, choices={'relevant_from': '2'}, tool='ir_measures'),)
    """

    family: str
    k: int | None
    choices: dict[str, str]
    tool: str


_TREC_CUT = {
    "ndcg_cut": "ndcg",
    "map_cut": "map",
    "p": "p",
    "recall": "recall",
    "success": "success",
}
_TREC_PLAIN = {
    "recip_rank": "mrr",
    "set_p": "p",
    "set_recall": "recall",
    "set_f": "f",
    "num_q": "numq",
    "num_ret": "numret",
    "num_rel": "numrel",
    "num_rel_ret": "numrelret",
}
_TREC_DEFAULT = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TREC_SHAPE = re.compile(r"(?P<name>[a-z_]+?)(?:[._](?P<values>[0-9]+(?:\.[0-9]+)?(?:,[0-9]+)*))?")

_IR_NAMES = {
    "ndcg": "ndcg",
    "ap": "map",
    "map": "map",
    "rr": "mrr",
    "mrr": "mrr",
    "p": "p",
    "precision": "p",
    "r": "recall",
    "recall": "recall",
    "rprec": "rprec",
    "rprecision": "rprec",
    "err": "err",
    "bpref": "bpref",
    "infap": "infap",
    "judged": "judged",
    "success": "success",
    "rbp": "rbp",
    "setp": "p",
    "setr": "recall",
    "setf": "f",
    "numq": "numq",
    "numret": "numret",
    "numrel": "numrel",
}
FOREIGN_CHOICES = frozenset({"rel", "dcg", "gains", "cutoff", "judged_only"})
"""Words in brackets that tell a measure of ir_measures from one of this library."""

_IR_SHAPE = re.compile(r"(?P<name>[a-z_]+)(?:\((?P<choices>.*)\))?(?:@(?P<k>[0-9]+))?")

_RANX_NAMES = {
    "ndcg_burges": ("ndcg", {"gain": "exp2"}),
    "dcg_burges": ("dcg", {"gain": "exp2"}),
    "hit_rate": ("success", {}),
    "r-precision": ("rprec", {}),
    "r_precision": ("rprec", {}),
    "f1": ("f", {}),
    "ndcg": ("ndcg", {}),
    "dcg": ("dcg", {}),
    "map": ("map", {}),
    "mrr": ("mrr", {}),
    "precision": ("p", {}),
    "recall": ("recall", {}),
    "hits": ("numrelret", {}),
    "bpref": ("bpref", {}),
    "rbp": ("rbp", {}),
}
_RANX_SHAPE = re.compile(
    r"(?P<name>[a-z1_]+|r-precision)(?:\.(?P<p>[0-9]+))?(?:@(?P<k>[0-9]+))?(?:-l(?P<level>[0-9]+))?"
)

_SUBTOPICS = "it needs judgments of subtopics"
_NOT_HERE = {
    "gm_map": "a geometric mean over queries is not taken here; map has the values per query",
    "gm_bpref": "a geometric mean over queries is not taken here; bpref has the values per query",
    "11pt_avg": "precision at levels of recall is not computed here",
    "iprec_at_recall": "precision at levels of recall is not computed here",
    "iprec": "precision at levels of recall is not computed here",
    "set_map": "it is not an average over ranks; take p and recall, of which it is the product",
    "setap": "it is not an average over ranks; take p and recall, of which it is the product",
    "alpha_ndcg": _SUBTOPICS,
    "alpha_dcg": _SUBTOPICS,
    "err_ia": _SUBTOPICS,
    "nerr_ia": _SUBTOPICS,
    "ap_ia": _SUBTOPICS,
    "p_ia": _SUBTOPICS,
    "strecall": _SUBTOPICS,
    "nrbp": _SUBTOPICS,
}


def translate(text: str) -> tuple[Foreign, ...]:
    """Read a name of trec_eval, ir_measures or ranx; nothing if it is none of theirs.

    Examples
    --------
    >>> [(name.family, name.k, name.tool) for name in translate("ndcg_cut.5,10")]
    [('ndcg', 5, 'trec_eval'), ('ndcg', 10, 'trec_eval')]
    >>> translate("rbp.95")[0].choices
    {'p': '0.95'}
    >>> translate("alpha_nDCG@10")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: alpha_nDCG@10: there is no such metric here: it needs judgments of subtopics
    """
    lower = text.strip().lower()
    stem = re.split(r"[@(.]", lower, maxsplit=1)[0]
    for name in (stem, re.sub(r"_[0-9.]+$", "", lower)):
        if name in _NOT_HERE:
            raise UsageError(f"there is no such metric here: {_NOT_HERE[name]}", where=text)
    return tuple(_trec(lower)) or tuple(_ranx(lower)) or tuple(_ir_measures(lower, text))


def _trec(lower: str) -> Iterator[Foreign]:
    shape = _TREC_SHAPE.fullmatch(lower)
    if shape is None:
        return
    name, values = shape["name"], shape["values"]
    if name in _TREC_PLAIN and (values is None or name == "set_f"):
        # trec_eval weighs by x where the usual F has the square of beta.
        choices = {"beta": repr(math.sqrt(float(values)))} if values and float(values) != 1 else {}
        yield Foreign(_TREC_PLAIN[name], None, choices, "trec_eval")
    elif name in _TREC_CUT and "." not in (values or ""):
        default = (1, 5, 10) if name == "success" else _TREC_DEFAULT
        for k in map(int, values.split(",")) if values else default:
            yield Foreign(_TREC_CUT[name], k, {}, "trec_eval")


def _ranx(lower: str) -> Iterator[Foreign]:
    shape = _RANX_SHAPE.fullmatch(lower)
    if shape is None or shape["name"] not in _RANX_NAMES or ((shape["name"] == "rbp") != (shape["p"] is not None)):
        return
    family, named = _RANX_NAMES[shape["name"]]
    choices = dict(named)
    if shape["p"]:
        choices["p"] = f"0.{shape['p']}"
    if shape["level"]:
        choices["relevant_from"] = shape["level"]
    yield Foreign(family, int(shape["k"]) if shape["k"] else None, choices, "ranx")


def _ir_measures(lower: str, text: str) -> Iterator[Foreign]:
    shape = _IR_SHAPE.fullmatch(lower)
    if shape is None or shape["name"] not in _IR_NAMES:
        return
    family, k, choices = _IR_NAMES[shape["name"]], shape["k"], {}
    for name, value in _arguments(shape["choices"] or "", text):
        if name == "rel":
            choices["relevant_from"] = str(value)
            family = "numrelret" if family == "numret" else family
        elif name == "cutoff":
            k = str(value)
        elif name == "dcg" and value in ("log2", "exp-log2"):
            # Its two formulas come from two providers, and the one with exponential gains compares doubles.
            choices |= {"gain": "exp2", "precision": "float64"} if value == "exp-log2" else {"gain": "linear"}
        elif name == "gains" and isinstance(value, dict):
            choices["gain"] = "/".join(str(value.get(label, label)) for label in range(max(value, default=0) + 1))
        elif name == "beta" and isinstance(value, int | float) and value > 0:
            choices["beta"] = repr(math.sqrt(float(value)))  # it hands beta to trec_eval, which takes the square there
        elif name == "p":
            choices["p"] = str(value)
        elif name not in ("judged_only", "relative") or value:
            raise UsageError(f"{name}={value!r} of ir_measures is not known here", where=text)
    yield Foreign(family, int(k) if k else None, choices, "ir_measures")


def _arguments(written: str, text: str) -> Iterator[tuple[str, object]]:
    if not written.strip():
        return
    try:
        call = ast.parse(f"f({written})", mode="eval").body
        assert isinstance(call, ast.Call)
        for argument in call.keywords:
            value = argument.value
            # True and False were written in lower case.
            known = isinstance(value, ast.Name) and value.id in ("true", "false")
            yield str(argument.arg), (value.id == "true" if known else ast.literal_eval(value))  # type: ignore[attr-defined]
    except (SyntaxError, ValueError, AssertionError, RecursionError, MemoryError):
        raise UsageError("the brackets cannot be read", where=text, cure="write P(rel=2)@5") from None
