"""Formulas as MathML, written when the book is built: browsers draw it without a script or fonts of ours."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

__all__ = ["RENDERER", "mathml", "setup"]

RENDERER = "mathml"
"""Name of the renderer, for ``html_math_renderer``."""


def mathml(formula: str, *, block: bool = False) -> str:
    r"""A formula in TeX as MathML.

    Parameters
    ----------
    formula
        Without dollar signs.
    block
        Whether it stands in a line of its own.

    Examples
    --------
    >>> mathml("2^y")
    '<math><msup><mn>2</mn><mi>y</mi></msup></math>'
    >>> mathml(r"\nothing")
    Traceback (most recent call last):
    ...
    sphinx.errors.ExtensionError: the formula \nothing cannot be drawn: Unknown LaTeX command "\nothing".
    """
    try:
        # docutils has \ldots only.
        drawn = str(tex2mathml(re.sub(r"\\dots\b", r"\\ldots", formula.strip()), as_block=block))
    except MathError as error:
        raise ExtensionError(f"the formula {formula.strip()} cannot be drawn: {error}") from error
    drawn = re.sub(r">\s+<", "><", drawn)
    return drawn.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "").strip()


def write_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula inside a sentence."""
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def write_block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula in a line of its own."""
    translator.body.append(f'<div class="math">{mathml(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer(RENDERER, (write_inline, None), (write_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
