"""Figures as SVG inside the page: transparent, readable at the size at which they are shown, in light and dark.

Every grey of the drawing becomes a CSS variable that the dark mode turns round; colours stay. A drawing whose
text stands on coloured fields (a heat map) keeps its greys, and the style sheet gives it a light card.
"""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["LEAST_POINTS", "PIXELS_PER_INCH", "draw"]

PIXELS_PER_INCH = 100
"""An inch of the figure is shown so wide."""

LEAST_POINTS = 8.0
"""No text is smaller: 8 points are 11 pixels at that width."""

_MANY_POINTS = 3000
_STEPS = 10
_HEX = re.compile(r"(fill|stroke)(: ?|=\")(#[0-9a-f]{6})")
_GREY = re.compile(r"#([0-9a-f]{2})\1\1")


def draw(figure: Figure, *, name: str, alt: str) -> str:
    """Draw a figure as one ``<svg>`` element for the page.

    Parameters
    ----------
    figure
        The figure; small text is enlarged.
    name
        Label of the figure: all ids inside begin with it, so that two drawings of a page do not share one.
    alt
        What the figure shows, for those who cannot see it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, axes = plt.subplots(figsize=(5, 3))
    >>> drawn = draw(figure, name="fig-example-empty", alt="Nothing.")
    >>> plt.close(figure)
    >>> drawn[:48], 'aria-label="Nothing."' in drawn, "var(--grey-" in drawn
    ('<svg class="drawing" role="img" aria-label="Noth', True, True)
    """
    _enlarge_text(figure)
    on_fields = _rasterise(figure)
    buffer = io.StringIO()
    figure.savefig(
        buffer, format="svg", bbox_inches="tight", transparent=not on_fields, dpi=160, metadata={"Date": None}
    )
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{name}-", text)
    if not on_fields:
        text = _HEX.sub(_themed, text)
    width = float(re.search(r'width="([\d.]+)pt"', text)[1]) / 72 * PIXELS_PER_INCH  # type: ignore[index]
    box = re.search(r'viewBox="[^"]*"', text)[0]  # type: ignore[index]
    kind = "drawing light-card" if on_fields else "drawing"
    opening = (
        f'<svg class="{kind}" role="img" aria-label="{html.escape(" ".join(alt.split()))}" {box} '
        f'style="width: {width:.0f}px" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    return opening + text[text.index(">") + 1 :].strip()


def _enlarge_text(figure: Figure) -> None:
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if float(text.get_fontsize()) < LEAST_POINTS:
            text.set_fontsize(LEAST_POINTS)


def _rasterise(figure: Figure) -> bool:
    """Draw large meshes and clouds as pictures inside the SVG; say whether there is a mesh, on which text may stand."""
    from matplotlib.collections import PathCollection, QuadMesh
    from matplotlib.image import AxesImage

    fields = False
    for artist in figure.findobj():
        if isinstance(artist, QuadMesh | AxesImage):
            fields = True
            artist.set_rasterized(True)
        elif isinstance(artist, PathCollection) and len(artist.get_offsets()) > _MANY_POINTS:  # type: ignore[arg-type]
            artist.set_rasterized(True)
    return fields


def _themed(match: re.Match[str]) -> str:
    """A grey as the nearest of eleven variables, 0 for black to 10 for white; other colours as they are."""
    attribute, between, colour = match.groups()
    grey = _GREY.fullmatch(colour)
    if not grey or between.startswith("="):
        return match[0]
    return f"{attribute}{between}var(--grey-{round(int(grey[1], 16) / 255 * _STEPS)}, {colour})"
