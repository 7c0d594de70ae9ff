"""The page on which a method is placed by typing: its fields and its data; the counting is done by the browser."""

from __future__ import annotations

import html
import json

from ltrlib.across.standing.export import EXAMPLES, export

__all__ = ["standing_form"]

_KEY = (
    ("standing-b6", '<circle cx="8" cy="8" r="4"', "Table B.6"),
    ("standing-mine", '<polygon points="8,0 10,6 16,6 11,10 13,16 8,12 3,16 5,10 0,6 6,6"', "yours"),
    ("standing-later", '<polygon points="8,2 14,8 8,14 2,8"', "later results"),
    ("standing-ours", '<rect x="3" y="3" width="9" height="9"', "our runs"),
)


def standing_form(*, static: str = "../_static", chip: str = "") -> str:
    """Return the fields, the places of the answer and all results; without JavaScript, what to do instead.

    Parameters
    ----------
    static
        Address of the folder with scripts and style sheet.
    chip
        HTML that says whose NDCG Table B.6 has.

    Examples
    --------
    >>> page = standing_form()
    >>> [f'id="standing-{name}"' in page for name in ("results", "iwn", "among", "convention", "doubts", "unstated")]
    [True, True, True, True, True, True]
    """
    examples = "".join(
        f'<button type="button" data-example="{html.escape(title)}">{html.escape(title)}</button>' for title in EXAMPLES
    )
    key = "".join(
        f'<li><svg aria-hidden="true" viewBox="0 0 16 16">{mark} class="{name}"/></svg>{words}</li>'
        for name, mark, words in _KEY
    )
    # Inside a script element only "</" could end it early.
    data = json.dumps(export(), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"""<link rel="stylesheet" href="{static}/standing.css">
<noscript><p>This page counts in your browser and needs JavaScript. The same from a terminal:
<code>ltrlib compare mine.csv</code></p></noscript>
<div id="standing" hidden>
<p>Examples: {examples}</p>
<label for="standing-results">Your results: CSV with the columns method, dataset, metric, value</label>
<textarea id="standing-results" rows="9" spellcheck="false" autocomplete="off"
aria-describedby="standing-message"></textarea>
<p class="standing-file"><label for="standing-file">or open a file (it stays on this machine)</label>
<input type="file" id="standing-file" accept=".csv,text/csv,text/plain"></p>
<div class="standing-options">
<div><label for="standing-convention">The tool that made your values</label><select id="standing-convention">
<option value="">LETOR’s own tool, or as the rows say</option></select></div>
<div><label for="standing-among">Place them in</label><select id="standing-among">
<option value="b6">Table B.6 as it is</option>
<option value="continued">Table B.6 with later results and our runs</option></select></div>
<div><label for="standing-iwn">IWN counts</label><select id="standing-iwn">
<option value="formula">all other methods (printed formula)</option>
<option value="reached">the most wins anybody reached (the program)</option></select></div>
</div>
<p class="standing-tick"><input type="checkbox" id="standing-unstated">
<label for="standing-unstated">count where Table B.6 states no convention, as if all tools agreed</label></p>
<details><summary>Leave out results behind Table B.6 that are in doubt</summary>
<p class="standing-all-doubts"><input type="checkbox" id="standing-doubt-all">
<label for="standing-doubt-all">all of them</label></p><ul id="standing-doubts"></ul></details>
<details><summary>Names of the data sets</summary><ul id="standing-names"></ul></details>
<p id="standing-message" role="status"></p>
<div class="standing-answer">
<div class="standing-inside">
<div id="standing-verdicts" aria-live="polite"></div>
<p id="standing-counted"></p>
<div id="standing-row"></div>
<p class="foot">{chip}</p>
<figure class="standing-figure">
<div id="standing-plot" role="group" tabindex="0"><p id="standing-tip" aria-live="polite"></p></div>
<ul class="standing-key">{key}</ul>
<figcaption>Figure 5 of the paper with your method: NWN against IWN. Dotted: the Pareto front.</figcaption>
</figure>
<div id="standing-duels"></div>
</div>
<div id="standing-elsewhere"></div>
<div class="standing-inside">
<details><summary>All rows of the table</summary><div id="standing-all"></div></details></div>
<p><button type="button" id="standing-link">Copy a link to this answer</button></p>
<p>The same from a terminal: <code id="standing-command"></code></p>
</div>
</div>
<script type="application/json" id="standing-data">{data}</script>
<script src="{static}/standing-count.js" defer></script>
<script src="{static}/standing.js" defer></script>"""
