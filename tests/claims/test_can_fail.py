"""A claim that cannot fail is not a claim: for each there is an input that could have been and turns its verdict.

The change is made at the input, never in the cells that are judged: a claim on what was rerun must be turned by other
measurements, one on what was counted by other counts, arithmetic by another printed text, each within what could have
been. The search below tries what needs no knowledge of the claim; a claim that it cannot turn declares itself how its
input could differ (``otherwise``). Besides, no cell may be so wide that it takes every number: one with spread must be
told from the other numbers of its column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ltrlib.claims.cells import Cell, Difference, Measured, Value
from ltrlib.claims.claim import Claim
from ltrlib.claims.counts import Counts
from ltrlib.claims.evidence import Evidence, gather
from ltrlib.claims.rules import judge
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import LtrlibError
from ltrlib.papers.tax2015.method import liu
from ltrlib.published import Paper, load_paper, load_table
from ltrlib.records.record import Record
from tests.claims.test_claims import (
    HERE,
    OF_LIU,
    SEVERAL_CELLS,
    Reads,
    cells_of,
    other_texts,
    put,
    tolerance,
    with_value,
)

# So many other inputs are tried; a claim that none of them turns says itself what would.
TRIED = 100

_AGAINST = (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT)


def side(claim: Claim, paper: Paper, found: Evidence) -> str | None:
    """For, against or open by the worst cell, whatever the data allow to conclude; None if it cannot be computed."""
    try:
        judgements = claim.check(paper, evidence=found).judgements
    except (LtrlibError, ArithmeticError, ValueError, KeyError, IndexError):
        return None
    return side_of(max((one.verdict for one in judgements), key=lambda verdict: verdict.severity))


def other_inputs(inputs: tuple[object, ...]) -> Iterator[tuple[object, ...]]:
    """What could have been measured or counted instead: one input changed at a time."""
    for place, one in enumerate(inputs):
        if isinstance(one, Counts):
            changed: Iterator[object] = (Counts(table) for table in other_counts(one.table))
        elif isinstance(one, Record):
            changed = (replace(one, table=table) for table in other_tables(one.table))
        else:
            continue
        for other in changed:
            yield (*inputs[:place], other, *inputs[place + 1 :])


def other_counts(table: pd.DataFrame) -> Iterator[pd.DataFrame]:
    for quantity in dict.fromkeys(table["quantity"]):
        for factor in (0, 2, 10):
            other = table.copy()
            other.loc[other["quantity"] == quantity, "value"] *= factor
            yield other


def other_tables(table: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The same measurements, but found for other methods, settings or queries."""
    names = [name for name in table if not pd.api.types.is_numeric_dtype(table[name])]
    flags = [name for name in table if pd.api.types.is_bool_dtype(table[name])]
    numbers = [name for name in table if name not in names + flags]
    for name in [*names, *flags]:
        values = list(dict.fromkeys(table[name]))
        if 1 < len(values) <= 40:
            for a, b in pairwise([*values, values[0]]):
                yield table.assign(
                    **{str(name): table[name].map(lambda value, a=a, b=b: {a: b, b: a}.get(value, value))}
                )
    generator = np.random.default_rng(0)
    changes: list[Callable[[pd.Series[Any]], Any]] = [
        lambda column: column.to_numpy()[::-1],
        lambda column: column.max() + column.min() - column,
        lambda column: generator.permutation(column.to_numpy()),
        lambda column: np.full(len(column), column.mean()),
        lambda column: column / 2,
    ]
    kept = {name: table[name].dtype for name in numbers}
    for change in changes:
        yield table.assign(**{str(name): change(table[name]) for name in numbers}).astype(kept, errors="ignore")
        for name in numbers:
            if table[name].nunique() > 1:
                yield table.assign(**{str(name): change(table[name])}).astype({name: kept[name]}, errors="ignore")


def other_papers(one: Claim, paper: Paper, found: Evidence, monkeypatch: pytest.MonkeyPatch) -> Iterator[Paper]:
    """What could have been printed instead, in one cell that the claim reads."""
    if one.id in SEVERAL_CELLS:
        yield SEVERAL_CELLS[one.id](paper)
    reads = Reads(monkeypatch)
    side(one, paper, found)
    monkeypatch.undo()
    named = {
        name
        for place in reads.places
        if place[0] == "statements"
        for name in paper["statements"].text(*place[1:]).split("; ")
    }
    places = [place for place in reads.places if not place[0].endswith("_corrections")]
    places.sort(key=lambda place: (place[0] != "statements", place[1] not in named))
    yield from other_columns(paper, places)
    texts = [(place, other_texts(paper, *place)) for place in places]
    while texts:
        # One other text for each place, then the next: which place decides is not known.
        for place, others in list(texts):
            text = next(others, None)
            if text is None:
                texts.remove((place, others))
            else:
                yield put(paper, place[0], place[2], {place[1]: text})


def other_columns(paper: Paper, places: list[tuple[str, str, str]]) -> Iterator[Paper]:
    """What a claim reads of a column, the other way round; and other names in a sentence that has names."""
    columns: dict[tuple[str, str], list[str]] = {}
    for table, row, column in places:
        columns.setdefault((table, column), []).append(row)
    for (table, column), rows in columns.items():
        if table == "statements":
            continue
        filled = [row for row in rows if paper[table].text(row, column)]
        texts = [paper[table].text(row, column) for row in filled]
        for other in (
            texts[::-1],
            texts[1:] + texts[:1],
            sorted(texts),
            sorted(texts, reverse=True),
            texts[:1] * len(texts),
        ):
            if other != texts:
                yield put(paper, table, column, dict(zip(filled, other, strict=True)))
    for row in columns.get(("statements", "text"), []):
        names = paper["statements"].text(row, "text").split("; ")
        for table, _ in columns:
            others = [name for name in paper[table].rows if name not in names]
            if set(names) & set(paper[table].rows) and others:
                yield put(paper, "statements", "text", {row: "; ".join(others[-len(names) :])})
                yield put(paper, "statements", "text", {row: "; ".join([*names[1:], others[0]])})


def other_cells(cell: Cell) -> Iterator[Cell]:
    """The same comparison with numbers on either side of everything that the rules allow around ours, or with none."""
    if isinstance(cell, Value) and isinstance(cell.ours, Measured):
        width = tolerance(cell)
        numbers = [Fraction(cell.ours.value) + steps * 2 * width for steps in (0, 1, -1)]
        yield from (replace(cell, published=with_value(cell.published, number), conclusion=None) for number in numbers)
    elif isinstance(cell, Difference):
        half = judge(cell).interval[1] - cell.estimate.value  # type: ignore[index]
        for sign in (1, 0, -1):
            far = sign * (2 * cell.margin + 2 * half + 1e-6)
            yield replace(cell, estimate=replace(cell.estimate, value=far))


def side_of(verdict: Verdict) -> str:
    return "against" if verdict in _AGAINST else "open" if verdict is Verdict.UNDECIDED else "for"


def can_fail(one: Claim, monkeypatch: pytest.MonkeyPatch) -> bool:
    paper, found = load_paper(one.paper), gather(one.material)
    before = side(one, paper, found)
    assert before is not None, "the claim cannot be computed"
    if one.otherwise is not None:
        other, *inputs = one.otherwise(paper, *found.inputs)
        if side(one, other, replace(found, inputs=tuple(inputs))) not in (None, before):
            return True
    if one.id in OF_LIU:
        wins = load_paper("liu2011")["winning_numbers"].with_cell(*OF_LIU[one.id])
        monkeypatch.setattr(liu, "load_table", lambda name, t: wins if t == wins.name else load_table(name, t))
        return side(one, paper, found) not in (None, before)
    measured = [replace(found, inputs=inputs) for inputs in islice(other_inputs(found.inputs), TRIED)]
    if any(side(one, paper, other) not in (None, before) for other in measured):
        return True
    if any(isinstance(given, Record) for given in found.inputs):
        return False
    printed = islice(other_papers(one, paper, found, monkeypatch), TRIED)
    return any(side(one, other, found) not in (None, before) for other in printed)


def test_the_claims_that_the_tests_name_exist() -> None:
    assert {*SEVERAL_CELLS, *OF_LIU} <= {one.id for one in HERE}


@pytest.mark.slow
@pytest.mark.parametrize("one", HERE, ids=[one.id for one in HERE])
def test_no_spread_is_so_wide_that_every_number_passes(one: Claim) -> None:
    """At ours the verdict is not against the paper, and far enough from it on one side not for it."""
    own = gather(one.material).own
    for cell in cells_of(one):
        others = list(other_cells(cell))
        sides = {side_of(judge(other, own=own).verdict) for other in [cell, *others]}
        assert len(sides) > 1 or not others, cell.name


@pytest.mark.slow
@pytest.mark.parametrize("one", HERE, ids=[one.id for one in HERE])
def test_a_claim_can_be_lost(one: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_fail(one, monkeypatch), (
        "no printed text and no measurement that could have been turns this claim; declare one as otherwise="
    )
