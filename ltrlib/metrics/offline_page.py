"""Small HTML pages that need no other file: a frame, escaped tables, bars."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from pathlib import Path

from ltrlib.errors import UsageError

__all__ = ["bars", "page", "table", "write_page"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --line: #d0d7de; --up: #1b6ca8; --down: #b35900; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #14181d; --line: #3b444d; --up: #6cb6ff; --down: #f0a35e; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } figure { margin: 1rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.4rem; } td, th { overflow-wrap: normal; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.number { text-align: right; white-space: nowrap; }
figure { overflow-x: auto; } svg { width: 100%; min-width: 36rem; max-width: 780px; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .up { fill: var(--up); } svg .down { fill: var(--down); } svg .axis { stroke: var(--line); }
svg .band { fill: var(--line); opacity: 0.4; } svg .reach { stroke-width: 2; } svg .reach.up { stroke: var(--up); }
svg .reach.down { stroke: var(--down); }
"""


def page(title: str, body: str) -> str:
    """Put a title and a body, which is HTML already, into a page.

    Examples
    --------
    >>> "<h1>a &lt; b</h1>" in page("a < b", "<p>x</p>")
    True
    """
    safe = html.escape(title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{safe}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{_STYLE}</style></head><body>\n<h1>{safe}</h1>\n{body}\n</body></html>\n"
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str, numbers: Sequence[int] = ()) -> str:
    """Write a table; every cell is escaped, the columns in ``numbers`` are aligned to the right.

    Examples
    --------
    >>> "<td>&lt;b&gt;</td>" in table(["x"], [["<b>"]], caption="c")
    True
    """
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    lines = []
    for row in rows:
        cells = (
            f'<td class="number">{html.escape(cell)}</td>' if place in numbers else f"<td>{html.escape(cell)}</td>"
            for place, cell in enumerate(row)
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="wide"><table><caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def bars(values: Sequence[tuple[str, float, float]], *, alt: str, digits: int = 4) -> str:
    """Draw a horizontal bar for each name, from one value to another, with the step written beside it.

    Parameters
    ----------
    values
        Name, begin and end of each bar; a waterfall begins each where the one before ends.
    alt
        What the picture shows, for who cannot see it.
    digits
        Digits of the steps.

    Examples
    --------
    >>> bars([("gain", 0.0, 0.25)], alt="one bar").count("<rect")
    1
    """
    ends = [0.0] + [end for _, *both in values for end in both] if _crosses(values) else []
    ends = ends or [end for _, *both in values for end in both]
    low, high = min(ends), max(ends)
    span = (high - low) or 1.0
    left, width, step = 240, 430, 28

    def x(value: float) -> float:
        return left + width * (value - low) / span

    parts = []
    for place, (name, begin, end) in enumerate(values):
        y = place * step + 8
        a, b = sorted((x(begin), x(end)))
        kind = "up" if end >= begin else "down"
        parts.append(f'<text x="{left - 10}" y="{y + 14}" text-anchor="end">{html.escape(_cut(name))}</text>')
        parts.append(f'<rect class="{kind}" x="{a:.1f}" y="{y}" width="{max(b - a, 1.5):.1f}" height="18"/>')
        parts.append(f'<text x="{left + width + 10}" y="{y + 14}">{end - begin:+.{digits}f}</text>')
    tall = len(values) * step + 12
    if low <= 0.0 <= high:
        parts.insert(0, f'<line class="axis" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="0" y2="{tall}"/>')
    return (
        f'<figure><svg viewBox="0 0 780 {tall}" width="780" role="img" aria-label="{html.escape(alt)}">'
        f"{''.join(parts)}</svg></figure>"
    )


def _crosses(values: Sequence[tuple[str, float, float]]) -> bool:
    """Whether bars start from zero, so that zero belongs into the picture."""
    return any(begin == 0.0 for _, begin, _ in values)


def _cut(name: str) -> str:
    return name if len(name) <= 30 else f"{name[:29]}…"


def write_page(text: str, path: Path, *, inputs: Iterable[str | Path | None]) -> None:
    """Write a page whole or not at all, and never over a file that was read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page("<p>", Path(folder, "page.html"), inputs=[None])
    ...     Path(folder, "page.html").read_text()
    '<p>'
    """
    from ltrlib.atomic import new_file, refuse_input

    if not path.parent.is_dir():
        raise UsageError("there is no such folder", where=path.parent, cure="make it, or choose another --output")
    refuse_input(path, *(Path(given) for given in inputs if given is not None))
    with new_file(path) as file:
        file.write(text.encode("utf-8", errors="replace"))
