"""How much of the code the tests run: from the report of coverage to ``data/coverage.json`` and the status page.

``make coverage`` measures. Functions that numba compiles run as machine code, where coverage cannot see them, so their
lines count as not run although the tests do run them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ltrlib.atomic import new_file
from ltrlib.errors import RecordError
from ltrlib.project import project_data

__all__ = ["Coverage", "Lines", "read", "summarise", "write"]


@dataclass(frozen=True)
class Lines:
    """Statements of a package, and how many of them the tests run.

    Examples
    --------
    >>> Lines(statements=8, run=6).percent
    75.0
    """

    statements: int
    run: int

    @property
    def percent(self) -> float:
        """The share of statements that were run; of nothing, everything."""
        return 100.0 * self.run / self.statements if self.statements else 100.0


@dataclass(frozen=True)
class Coverage:
    """What the tests run, by package, on one day.

    Examples
    --------
    >>> Coverage("2026-01-31", {"metrics": Lines(10, 9), "rankers": Lines(10, 8)}).total.percent
    85.0
    """

    date: str
    packages: Mapping[str, Lines]

    @property
    def total(self) -> Lines:
        """All packages together."""
        lines = self.packages.values()
        return Lines(sum(one.statements for one in lines), sum(one.run for one in lines))


def summarise(report: Mapping[str, Any], date: str) -> Coverage:
    """Add up a report of ``coverage json`` by package; modules beside the packages count together.

    Parameters
    ----------
    report
        The content of the report.
    date
        The day of the measurement.

    Examples
    --------
    >>> counts = {"summary": {"num_statements": 4, "covered_lines": 3}}
    >>> summarise({"files": {"ltrlib/metrics/engine.py": counts, "ltrlib/errors.py": counts}}, "2026-01-31").packages
    {'(modules)': Lines(statements=4, run=3), 'metrics': Lines(statements=4, run=3)}
    """
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, one in report["files"].items():
        parts = Path(name).parts
        inside = parts[parts.index("ltrlib") + 1 :]
        sums = found[inside[0] if len(inside) > 1 else "(modules)"]
        sums[0] += one["summary"]["num_statements"]
        sums[1] += one["summary"]["covered_lines"]
    return Coverage(date, {name: Lines(*found[name]) for name in sorted(found)})


def write(report: Path, path: Path | None = None) -> Coverage:
    """Keep the sums of a report, and return them.

    Parameters
    ----------
    report
        Written by ``coverage json``.
    path
        ``data/coverage.json`` if not given.
    """
    found = summarise(json.loads(report.read_text(encoding="utf-8")), f"{datetime.now(UTC):%Y-%m-%d}")
    content = {
        "date": found.date,
        "percent": round(found.total.percent, 1),
        "packages": {name: asdict(one) | {"percent": round(one.percent, 1)} for name, one in found.packages.items()},
    }
    with new_file(project_data("coverage.json") if path is None else path) as file:
        file.write((json.dumps(content, indent=2) + "\n").encode())
    return found


def read(path: Path | None = None) -> Coverage | None:
    """Read the sums; None where nobody has measured.

    Examples
    --------
    >>> read(Path("no-such-file.json")) is None
    True
    """
    path = project_data("coverage.json") if path is None else path
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        packages = {name: Lines(one["statements"], one["run"]) for name, one in content["packages"].items()}
        return Coverage(content["date"], packages)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"not a summary of coverage: {error!r}", where=str(path), cure="make coverage") from None
