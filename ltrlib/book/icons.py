"""The icons of the theme: the book carries the few that its pages use, not a script of 1.5 MB with all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path

from sphinx.application import Sphinx

__all__ = ["icon_script", "setup", "write_icons"]

_SCRIPT = Path("_static", "scripts", "fontawesome.js")
_USED = re.compile(r"\bfa-(?:solid|brands|regular)\b[^\"']*")
_NAME = re.compile(r"\bfa-([a-z0-9-]+)")
_SIZES = {"solid", "brands", "regular", "lg", "fw", "sm", "xs", "spin"}

_DRAW = """/* Icons of Font Awesome Free (CC BY 4.0), those that the pages use. */
(() => {
  const icons = ICONS;
  const draw = () => document.querySelectorAll("i.fa-solid:empty").forEach((place) => {
    const name = [...place.classList].map((one) => one.slice(3)).find((one) => icons[one]);
    if (!name) return;
    const [width, height, path] = icons[name];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const wide = { viewBox: `0 0 ${width} ${height}`, height: "1em", fill: "currentColor", "aria-hidden": "true" };
    for (const [key, value] of Object.entries(wide)) svg.setAttribute(key, value);
    svg.style.verticalAlign = "-0.125em";
    shape.setAttribute("d", path);
    svg.append(shape);
    place.append(svg);
  });
  document.addEventListener("DOMContentLoaded", draw);
  addEventListener("load", draw);
})();
"""


def icon_script(whole: str, names: Collection[str]) -> str | None:
    """Write a script with some icons of the theme's; None if one of them is not there.

    Parameters
    ----------
    whole
        The theme's script.
    names
        Which icons.

    Examples
    --------
    >>> script = icon_script('{bars:[448,512,["navicon"],"f0c9","M0 96"],x:[1,2,[],"f1","M1"]}', ["bars"])
    >>> '{"bars": [448, 512, "M0 96"]}' in script
    True
    >>> icon_script("{}", ["bars"]) is None
    True
    """
    icons = {}
    for name in sorted(names):
        found = re.search(rf'[{{,]"?{re.escape(name)}"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+","([^"]+)"', whole)
        if found is None:
            return None
        icons[name] = [int(found[1]), int(found[2]), found[3]]
    return _DRAW.replace("ICONS", json.dumps(icons))


def write_icons(app: Sphinx, error: Exception | None) -> None:
    """Put the small script in the place of the theme's; where an icon is missing, the theme's stays."""
    place = Path(app.outdir) / _SCRIPT
    if error is not None or app.builder.format != "html" or not place.is_file():
        return
    whole = place.read_text(encoding="utf-8")
    if "Font Awesome Free (CC BY 4.0)" in whole[:200]:
        return
    pages = Path(app.outdir).rglob("*.html")
    used = {text for page in pages for text in _USED.findall(page.read_text(encoding="utf-8"))}
    names = {name for text in used for name in _NAME.findall(text)} - _SIZES
    if script := icon_script(whole, names):
        place.write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    app.connect("build-finished", write_icons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
