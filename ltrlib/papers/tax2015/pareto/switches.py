"""Switches for the reader: what to do with each doubt, and who is then on the front; all fronts are counted before."""

from __future__ import annotations

import html
import json

import numpy as np

from ltrlib.papers.tax2015.counted import counts
from ltrlib.papers.tax2015.pareto.combinations import MOVED, OUT, STANDS, every_combination
from ltrlib.papers.tax2015.pareto.page import NAMES

__all__ = ["doubt_switches"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_WORDS = {STANDS: "as it stands", OUT: "left out", MOVED: "moved to where it would belong"}


def doubt_switches(*, static: str = "../_static") -> str:
    """Return the switches as HTML, with the front of every combination; without JavaScript, what to do instead.

    Parameters
    ----------
    static
        Address of the folder with script and style sheet.

    Examples
    --------
    >>> page = doubt_switches()
    >>> page.count("<select"), 'value="moved"' in page
    (10, True)
    """
    found = every_combination()
    rows = "".join(
        f'<div><label for="doubt-{code}">{html.escape(NAMES[code])}</label><select id="doubt-{code}">'
        + "".join(f'<option value="{state}">{_WORDS[state]}</option>' for state in states)
        + "</select></div>"
        for code, states in found.states.items()
    )
    order = sorted(range(len(found.methods)), key=lambda column: counts()[found.methods[column], "all"].iwn)
    fronts, which = np.unique(found.on_front[:, order], axis=0, return_inverse=True)
    data = {
        "states": {code: list(states) for code, states in found.states.items()},
        "methods": [found.methods[column] for column in order],
        "fronts": ["".join("01"[int(on)] for on in row) for row in fronts],
        # Two digits each, in the order of the combinations.
        "which": "".join(_DIGITS[int(n) // 36] + _DIGITS[int(n) % 36] for n in which.ravel()),
    }
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"""<link rel="stylesheet" href="{static}/doubts.css">
<noscript><p>The switches need JavaScript. The same in Python:
<code>every_combination().front({{"torkestani2012a": "moved"}})</code>
from <code>ltrlib.papers.tax2015.pareto.combinations</code>.</p></noscript>
<div id="doubts" hidden>
<div class="doubts-rows">{rows}</div>
<p><button type="button" data-all="{STANDS}">all as they stand</button>
<button type="button" data-all="{MOVED}">all doubts right</button>
<button type="button" data-all="{OUT}">all left out</button></p>
<p id="doubts-front" role="status"></p>
<ul id="doubts-methods"></ul>
</div>
<script type="application/json" id="doubts-data">{written}</script>
<script src="{static}/doubts.js" defer></script>"""
