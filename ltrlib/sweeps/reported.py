"""Numbers that a run of a chapter reports: what a sweep over its parameters collects.

They travel in the notebook itself, as ``glue`` keeps them, and are there after a plain papermill run too. Everything
that a page glues and that is a number counts, with the digits shown; ``record_metric`` keeps all digits.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

__all__ = ["read_metrics", "record_metric"]

_GLUED = "application/papermill.record/text/plain"


def record_metric(name: str, value: float) -> None:
    """Report a number of this run, with all its digits; a sweep puts it into its table.

    Parameters
    ----------
    name
        ``<chapter>.<what>``, such as ``"koppel2019.ndcg10"``; not one that is glued as well.
    value
        The number, or NaN if there is none.

    Examples
    --------
    >>> record_metric("example.ndcg10", 0.25)
    """
    digits = repr(float(value))
    from IPython.core.getipython import get_ipython

    if shell := get_ipython():
        # What MyST-NB's glue writes; it comes with what builds the book, and sweeps run without that.
        metadata = {"scrapbook": {"name": name, "mime_prefix": _GLUED.removesuffix("text/plain")}}
        shell.display_pub.publish({_GLUED: repr(digits)}, metadata)


def read_metrics(notebook: Mapping[str, Any]) -> dict[str, float]:
    """Numbers that an executed notebook reported, in order.

    Examples
    --------
    >>> output = {"metadata": {"scrapbook": {"name": "x.share"}}, "data": {_GLUED: "'12.5%'"}}
    >>> read_metrics({"cells": [{"outputs": [output]}]})
    {'x.share': 0.125}
    """
    found = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            value = _number(output.get("data", {}).get(_GLUED, ""))
            if name is not None and value is not None:
                found[name] = value
    return found


def _number(shown: str | list[str]) -> float | None:
    try:
        text = str(ast.literal_eval("".join(shown))).strip().replace("−", "-").replace(",", "")
        value = float(text.removesuffix("%"))
    except (ValueError, SyntaxError):
        return None
    if math.isinf(value):
        return None
    return value / 100 if text.endswith("%") else value
