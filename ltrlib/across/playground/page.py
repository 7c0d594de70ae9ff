"""The playground as HTML; the computing is done by ``chapters/_static/playground.js``."""

from __future__ import annotations

import html
import json

from ltrlib.across.playground.presets import EXAMPLES, presets

__all__ = ["playground_html"]


def playground_html(*, static: str = "../_static") -> str:
    """Return the fields, the table and the presets; without JavaScript, what to do instead.

    Parameters
    ----------
    static
        Address of the folder with script and style sheet.

    Examples
    --------
    >>> page = playground_html()
    >>> [name in page for name in ("playground-labels", "playground-scores", "playground-k", "playground-rows")]
    [True, True, True, True]
    """
    first = next(iter(EXAMPLES.values()))
    examples = "".join(
        f'<button type="button" data-example="{html.escape(name)}">{html.escape(name)}</button>' for name in EXAMPLES
    )
    # Inside a script element only "</" could end it early.
    data = json.dumps(presets(), ensure_ascii=False).replace("</", "<\\/")
    return f"""<link rel="stylesheet" href="{static}/playground.css">
<noscript><p>This page computes in your browser and needs JavaScript. The same from a terminal:
<code>ltrlib eval --data LIST.txt --scores SCORES.txt --tool all</code></p></noscript>
<div id="playground" hidden>
<p class="playground-examples">Try: {examples}</p>
<label for="playground-labels">Labels, one per document, 0 is not relevant</label>
<input id="playground-labels" value="{first["labels"]}" autocomplete="off" spellcheck="false">
<label for="playground-scores">Scores, in the same order; the highest is ranked first</label>
<input id="playground-scores" value="{first["scores"]}" autocomplete="off" spellcheck="false">
<label for="playground-k">Cut-off k, empty for the whole list</label>
<input id="playground-k" value="{first["k"]}" inputmode="numeric" autocomplete="off">
<p id="playground-message" role="status"></p>
<div class="playground-results">
<p><button type="button" id="playground-link">Copy a link to this list</button></p>
<table><caption>What each tool gives for this list; tools with the same NDCG stand together.</caption>
<thead><tr><th scope="col">tool</th><th scope="col">NDCG</th><th scope="col">ERR</th>
<th scope="col">AP</th></tr></thead><tbody id="playground-rows"></tbody></table>
<h2>Why two tools differ here</h2>
<div class="playground-pair">
<div><label for="playground-a">compare</label><select id="playground-a"></select></div>
<div><label for="playground-b">with</label><select id="playground-b"></select></div>
</div>
<div id="playground-difference" aria-live="polite"></div>
</div>
</div>
<script type="application/json" id="playground-presets">{data}</script>
<script src="{static}/playground.js" defer></script>"""
