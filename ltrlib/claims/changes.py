"""What changed in the numbers: the verdicts of now against those stored, and the log of all changes.

``data/claims/verdicts.csv`` holds the state that was last logged, one row per cell of each claim;
``data/claims/changes.csv`` every change since the beginning. CHANGES-IN-NUMBERS.md is written from the second file and
from nothing else, so that whoever has no history of the repository can check both.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from ltrlib.atomic import new_file
from ltrlib.claims.claim import Claim, Outcome
from ltrlib.claims.evidence import CountedData
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import RecordError
from ltrlib.project import ROOT, project_data

__all__ = ["COMMAND", "CellState", "Change", "LogFiles", "find_changes", "is_settled", "render", "states"]

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")

COMMAND = "ltrlib claims changes"
"""What to run when the files are out of date."""

NEW, GONE, VERDICT, OURS, PUBLISHED = "new", "gone", "verdict", "ours", "published"
CELL_NEW, CELL_GONE, NOTE = "new value", "value gone", "note"
_WORDS = {
    OURS: "our number",
    PUBLISHED: "the published number",
    VERDICT: "the verdict",
    GONE: "no longer checked",
    CELL_NEW: "a value more is checked",
    CELL_GONE: "a value less is checked",
}


@dataclass(frozen=True)
class CellState:
    """What a cell of a claim came to; a claim that could not be checked has one, without numbers.

    Examples
    --------
    >>> CellState("tax2015.b6.iwn-even", "inconsistent", 1, "", "inconsistent", "the sum is even", "22,865").cell
    1
    """

    claim: str
    claim_verdict: str
    cell: int
    name: str
    verdict: str
    published: str
    ours: str


@dataclass(frozen=True)
class Change:
    """One change between two states.

    Parameters
    ----------
    date
        Day on which it was logged.
    claim, cell
        Which cell of which claim; an empty cell means the claim as a whole.
    what
        ``new``, ``gone`` or ``verdict`` of a claim; ``ours``, ``published``, ``new value`` or ``value gone`` of a cell;
        ``note`` for a remark on the log itself.
    before, after
        From what to what.
    why
        The reason of the verdict, or a note given with the command.

    Examples
    --------
    >>> Change("2026-01-31", "tax2015.b6.wins", "", "verdict", "exact", "inconsistent", "a sum was wrong").what
    'verdict'
    """

    date: str
    claim: str
    cell: str
    what: str
    before: str
    after: str
    why: str


def is_settled(claim: Claim) -> bool:
    """Whether a claim comes to the same on every machine.

    One that counts a data set of which there is no record depends on who has the data, and is not logged.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> is_settled(claim("chapelle2011.table1.ohsumed")), is_settled(claim("chapelle2011.table2.sizes"))
    (True, False)
    """
    if not isinstance(claim.material, CountedData):
        return True
    records = (project_data("results", "counts", f"{name}.provenance.json") for name in claim.material.datasets)
    return all(record.exists() for record in records)


def states(outcomes: Iterable[Outcome]) -> list[CellState]:
    """List the cells of settled claims.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> states([claim("chapelle2011.prizes.sum").check()])[0].ours
    '30,000'
    """
    found = []
    for outcome in outcomes:
        if is_settled(outcome.claim):
            name, verdict = outcome.claim.id, outcome.verdict.word
            cells = [(one.name, one.verdict.word, one.published, one.ours) for one in outcome.judgements]
            cells = cells or [("", verdict, "", "")]
            found += [CellState(name, verdict, place, *(map(_line, c))) for place, c in enumerate(cells, start=1)]
    return found


def find_changes(
    before: Sequence[CellState],
    after: Sequence[CellState],
    *,
    date: str,
    reasons: Mapping[str, str] | None = None,
    note: str = "",
) -> list[Change]:
    """Compare two states; the cells of a claim are matched by their names, wherever they stand.

    A cell that has got another name but kept both numbers has not changed; nor has a number that is told with fewer
    digits, or with more.

    Parameters
    ----------
    before, after
        What was stored, and what is found now.
    date
        The day, for the log.
    reasons
        Why, for claims whose verdict is given with a reason.
    note
        Why, in words that hold for all changes.

    Examples
    --------
    >>> old = CellState("a.b", "exact", 1, "", "exact", "0.5", "0.5")
    >>> new = CellState("a.b", "not reproduced", 1, "", "not reproduced", "0.5", "0.6")
    >>> [(change.what, change.before, change.after) for change in find_changes([old], [new], date="2026-01-31")]
    [('verdict', 'exact', 'not reproduced'), ('ours', '0.5', '0.6')]
    """
    whys = reasons or {}

    def change(claim: str, cell: str, what: str, old: str, new: str) -> Change:
        return Change(date, claim, cell, what, old, new, _line(note or whys.get(claim, "")))

    then, now = _verdicts(before), _verdicts(after)
    found = [change(claim, "", GONE, verdict, "") for claim, verdict in then.items() if claim not in now]
    found += [change(claim, "", NEW, "", verdict) for claim, verdict in now.items() if claim not in then]
    found += [
        change(claim, "", VERDICT, then[claim], verdict)
        for claim, verdict in now.items()
        if claim in then and then[claim] != verdict
    ]
    for claim in (claim for claim in now if claim in then):
        old, new = _by_name(before, claim), _by_name(after, claim)
        for key in (key for key in new if key in old):
            for what in (PUBLISHED, OURS):
                was, is_now = getattr(old[key], what), getattr(new[key], what)
                if not _same(was, is_now):
                    found.append(change(claim, _label(key), what, was, is_now))
        lost = {key: _both(state) for key, state in old.items() if key not in new}
        come = {key: _both(state) for key, state in new.items() if key not in old}
        renamed = Counter(lost.values()) & Counter(come.values())
        found += [change(claim, _label(k), CELL_GONE, text, "") for k, text in _without(lost, renamed)]
        found += [change(claim, _label(k), CELL_NEW, "", text) for k, text in _without(come, renamed)]
    return found


def _same(was: str, now: str) -> bool:
    """Whether two texts say the same, but for spaces and digits that an error or an interval makes idle.

    Examples
    --------
    >>> _same("-0.3776 (-0.435 to -0.321), the 5 % level", "-0.378 (-0.435 to -0.321), the 5% level")
    True
    >>> _same("0.5", "0.51"), _same("0.3776 ± 0.0123", "0.378 ± 0.012"), _same("0.3776 ± 0.0123", "0.379 ± 0.012")
    (False, True, False)
    """
    then, today = ("".join(text.split()) for text in (was, now))
    if _NUMBER.sub("#", then) != _NUMBER.sub("#", today):
        return False
    measured = "±" in was or " to " in was
    for old, new in zip(_NUMBER.findall(then), _NUMBER.findall(today), strict=True):
        rounded = max(_last_place(old), _last_place(new)) / 2 if measured else 0
        if abs(Decimal(old.replace(",", "")) - Decimal(new.replace(",", ""))) > rounded:
            return False
    return True


def _last_place(text: str) -> Decimal:
    """What the last digit of a number counts.

    Examples
    --------
    >>> _last_place("1,234"), _last_place("+0.50"), _last_place("4.3e-05")
    (Decimal('1'), Decimal('0.01'), Decimal('0.000001'))
    """
    exponent = Decimal(text.replace(",", "")).as_tuple().exponent
    return Decimal(1).scaleb(min(int(exponent), 0))


def _by_name(cells: Iterable[CellState], claim: str) -> dict[tuple[str, int], CellState]:
    """Cells of a claim by name; of several with one name, the first, the second and so on."""
    seen: Counter[str] = Counter()
    found = {}
    for state in cells:
        if state.claim == claim:
            seen[state.name] += 1
            found[state.name, seen[state.name]] = state
    return found


def _label(key: tuple[str, int]) -> str:
    name, place = key
    return name if place == 1 else f"{name} ({place})".strip()


def _both(state: CellState) -> str:
    return f"{state.published} → {state.ours}" if state.published or state.ours else state.verdict


def _without(cells: Mapping[tuple[str, int], str], renamed: Counter[str]) -> Iterator[tuple[tuple[str, int], str]]:
    left = renamed.copy()
    for key, text in cells.items():
        if left[text]:
            left[text] -= 1
        else:
            yield key, text


def render(changes: Sequence[Change]) -> str:
    """Write the log as Markdown, newest day first.

    Examples
    --------
    >>> print(render([Change("2026-01-31", "a.b", "", "verdict", "exact", "inconsistent", "why not")]).splitlines()[-1])
    | `a.b` | the verdict | ● exact | ≠ inconsistent | why not |
    """
    lines = [
        "# Changes in numbers",
        "",
        "Every change of a verdict, of one of our numbers or of a published number, newest first: from what to what,",
        f"and why. Written by `{COMMAND}`; a test fails when this file is out of date.",
    ]
    for date in sorted({change.date for change in changes}, reverse=True):
        today = [change for change in changes if change.date == date]
        lines += ["", f"## {date}"]
        for note in (change for change in today if change.what == NOTE):
            lines += ["", note.why]
        if new := [change for change in today if change.what == NEW]:
            lines += ["", *_new_claims(new)]
        if other := [change for change in today if change.what not in (NEW, NOTE)]:
            lines += ["", "| claim | what | before | after | why |", "| :-- | :-- | :-- | :-- | :-- |"]
            lines += [_row(change) for change in other]
    if not changes:
        lines += ["", "Nothing has been logged yet."]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class LogFiles:
    """The three files of a project.

    Examples
    --------
    >>> LogFiles().page.name
    'CHANGES-IN-NUMBERS.md'
    """

    root: Path = ROOT

    @property
    def verdicts(self) -> Path:
        """The state that was last logged, one row per cell."""
        return self.root / "data" / "claims" / "verdicts.csv"

    @property
    def changes(self) -> Path:
        """The log."""
        return self.root / "data" / "claims" / "changes.csv"

    @property
    def page(self) -> Path:
        """The log for readers."""
        return self.root / "CHANGES-IN-NUMBERS.md"

    def stored(self) -> list[CellState]:
        """The state that was last logged."""
        return [CellState(**row | {"cell": int(row["cell"])}) for row in _read(self.verdicts, CellState)]  # type: ignore[arg-type]

    def logged(self) -> list[Change]:
        """All changes so far."""
        return [Change(**row) for row in _read(self.changes, Change)]

    def pending(self, outcomes: Sequence[Outcome], *, note: str = "") -> list[Change]:
        """Changes that are not logged yet."""
        reasons = {outcome.claim.id: outcome.reason for outcome in outcomes}
        date = f"{datetime.now(UTC):%Y-%m-%d}"
        return find_changes(self.stored(), states(outcomes), date=date, reasons=reasons, note=note)

    def problems(self, outcomes: Sequence[Outcome]) -> list[str]:
        """Why the files are out of date; empty if they are not."""
        found = [f"{one.claim}: {one.what} {one.before!r} → {one.after!r}" for one in self.pending(outcomes)]
        if not found and self.stored() != states(outcomes):
            found.append(f"the order or the names of the cells in {self.verdicts.name} are not those of the claims")
        if not self.page.exists() or self.page.read_text(encoding="utf-8") != render(self.logged()):
            found.append(f"{self.page.name} is not what {self.changes.name} says")
        return found

    def update(self, outcomes: Sequence[Outcome], *, note: str = "") -> list[Change]:
        """Log what changed and write all three files; return what was new."""
        pending = self.pending(outcomes, note=note)
        log = [*self.logged(), *pending]
        self.verdicts.parent.mkdir(parents=True, exist_ok=True)
        # The state comes last: after a crash in between, the same changes are found again.
        _write(self.changes, _csv(log, Change))
        _write(self.page, render(log))
        _write(self.verdicts, _csv(states(outcomes), CellState))
        return pending


def _verdicts(cells: Iterable[CellState]) -> dict[str, str]:
    return {state.claim: state.claim_verdict for state in cells}


def _new_claims(new: Sequence[Change]) -> Iterator[str]:
    numbers = Counter(change.after for change in new)
    shown = ", ".join(f"{numbers[v.word]} {v.shape} {v.word}" for v in Verdict if numbers[v.word])
    papers = Counter(change.claim.partition(".")[0] for change in new)
    yield f"{len(new)} claims were checked for the first time ({', '.join(f'{p} {n}' for p, n in papers.items())}):"
    yield f"{shown}."


def _row(change: Change) -> str:
    shapes = {verdict.word: f"{verdict.shape} {verdict.word}" for verdict in Verdict}
    claim = f"`{change.claim}`" + (f" {change.cell}" if change.cell else "")
    cells = [claim, _WORDS[change.what], *(shapes.get(text, text) or "–" for text in (change.before, change.after))]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in [*cells, change.why]) + " |"


def _line(text: str) -> str:
    return " ".join(text.split())


def _read(path: Path, kind: type[CellState | Change]) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if list(reader.fieldnames or ()) != [field.name for field in fields(kind)]:
            raise RecordError("the columns are wrong", where=path, cure="restore the file from the repository")
        return list(reader)


def _csv(rows: Sequence[CellState | Change], kind: type[CellState | Change]) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, [field.name for field in fields(kind)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return buffer.getvalue()


def _write(path: Path, text: str) -> None:
    with new_file(path) as file:
        file.write(text.encode())
