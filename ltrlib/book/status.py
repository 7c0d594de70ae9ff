"""The tables of the status page: when, how long and with what each page was computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from docutils import nodes

from ltrlib.book.coverage import Coverage

__all__ = ["StatusRow", "render", "render_coverage", "row"]


@dataclass(frozen=True)
class StatusRow:
    """What the status page says of one executed page."""

    title: str
    address: str
    fingerprint: str
    seconds: float | None
    finished: datetime | None
    inputs: str
    environment: str


def row(
    title: str, address: str, fingerprint: str, trace: Mapping[str, Any] | None, execution: Mapping[str, Any]
) -> StatusRow:
    """Read one page's facts from its trace and from the notebook runner.

    Examples
    --------
    >>> row("Metrics", "m.html", "ab12", None, {"runtime": 2.5}).seconds
    2.5
    """
    noted = {} if trace is None else trace["dependencies"]
    counts = {kind: sum(key.startswith(f"{kind}:") for key in noted) for kind in ("module", "file", "dataset")}
    inputs = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items())
    seconds = execution.get("runtime")
    finished = execution.get("mtime")
    return StatusRow(
        title=title,
        address=address,
        fingerprint=fingerprint,
        seconds=None if seconds is None else float(seconds),
        finished=None if finished is None else datetime.fromtimestamp(float(finished), UTC),
        inputs=inputs,
        environment="" if trace is None else _environment_text(trace["environment"]),
    )


def _environment_text(environment: Mapping[str, Mapping[str, Any]]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in environment["versions"].items())
    machine = environment["machine"]
    return f"{versions}; {machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}"


def render(rows: Sequence[StatusRow]) -> list[nodes.Node]:
    """Two tables: one line per page, then one line per environment in which pages were computed.

    Examples
    --------
    >>> [type(node).__name__ for node in render([])]
    ['paragraph']
    """
    if not rows:
        return [nodes.paragraph(text="No page of this book has been executed.")]
    environments = sorted({entry.environment for entry in rows})
    lines: list[list[str | nodes.Node]] = [
        [
            nodes.reference("", entry.title, refuri=entry.address, internal=True),
            "–" if entry.seconds is None else f"{entry.seconds:.1f}\N{NO-BREAK SPACE}s",
            "–" if entry.finished is None else f"{entry.finished:%Y-%m-%d %H:%M}",
            entry.fingerprint,
            entry.inputs,
            str(environments.index(entry.environment) + 1),
        ]
        for entry in rows
    ]
    total = sum(entry.seconds or 0.0 for entry in rows)
    pages = _table(["Page", "Run time", "Computed (UTC)", "Fingerprint", "Depends on", "Where"], lines)
    places = nodes.enumerated_list(
        "", *(nodes.list_item("", nodes.paragraph(text=text)) for text in environments), enumtype="arabic"
    )
    together = nodes.paragraph(text=f"All pages together: {total:.1f} s.")
    return [together, pages, nodes.paragraph(text="Where: versions and machine."), places]


def render_coverage(found: Coverage | None) -> list[nodes.Node]:
    """How much of each package the tests run.

    Examples
    --------
    >>> print(render_coverage(None)[0].astext())
    Not measured yet: make coverage does it.
    """
    if found is None:
        return [nodes.paragraph(text="Not measured yet: make coverage does it.")]
    lines = [
        [name, f"{one.statements:,}", f"{one.percent:.1f}%"]
        for name, one in [*found.packages.items(), ("all", found.total)]
    ]
    words = (
        f"Measured on {found.date}: the tests run {found.total.percent:.1f}% of the statements. Functions that numba "
        "compiles cannot be seen and count as not run, although the tests run them."
    )
    return [nodes.paragraph(text=words), _table(["Package", "Statements", "Run by the tests"], lines)]


def _table(head: Sequence[str], lines: Sequence[Sequence[str | nodes.Node]]) -> nodes.container:
    group = nodes.tgroup(cols=len(head))
    group += [nodes.colspec(colwidth=1) for _ in head]
    body_rows = [_row(line) for line in lines]
    group += nodes.thead("", _row(head))
    group += nodes.tbody("", *body_rows)
    table = nodes.table("", group)
    return nodes.container("", table, classes=["wide-table"])


def _row(cells: Sequence[str | nodes.Node]) -> nodes.row:
    made = nodes.row()
    for cell in cells:
        content = nodes.Text(cell) if isinstance(cell, str) else cell
        made += nodes.entry("", nodes.paragraph("", "", content))
    return made
