"""Where does my method stand: a user's results in Table B.6 itself, or among what shares their convention."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ltrlib.across.continued.joined import Joined, join_results, joined, what_changes
from ltrlib.across.continued.measures import FIVE_FOLDS, LETOR, METRICS, ONE_PART, UNSTATED, convention_title
from ltrlib.across.continued.pool import LATER, OURS, TABLE_B6, b6_convention, pool
from ltrlib.across.standing.reading import explain_unstated, read_yours
from ltrlib.comparison.winning import IwnRule
from ltrlib.errors import DataFormatError

__all__ = ["AMONG", "YOURS", "Elsewhere", "Options", "Standing", "place_among"]

YOURS = "yours"
"""Kind of the user's results, beside those of the pool."""

AMONG: dict[str, tuple[str, ...]] = {"b6": (TABLE_B6,), "continued": (TABLE_B6, LATER, OURS)}
"""What a method can be placed among: Table B.6 as it is, or continued to today."""


@dataclass(frozen=True)
class Options:
    """How the table is counted.

    Parameters
    ----------
    among
        A key of `AMONG`.
    iwn
        The rule of IWN.
    without_doubts
        Doubtful results to leave out, by the codes of the table ``doubts``.
    unstated
        Whether to count results on data sets on which the sources of Table B.6 do not state their convention.
    """

    among: str = "b6"
    iwn: IwnRule = "formula"
    without_doubts: tuple[str, ...] = ()
    unstated: bool = False


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """A result that Table B.6 cannot take, among those that share its convention.

    Parameters
    ----------
    method, dataset, metric, value, convention
        The user's result.
    why
        Why Table B.6 cannot take it.
    part
        What part of the data the others are about.
    others
        Method, value, kind and source of the others, best first, and ``by LETOR``: the value of the same run by
        LETOR's tool, where we have it. Empty if nobody shares the convention.
    """

    method: str
    dataset: str
    metric: str
    value: float
    convention: str
    why: str
    part: str
    others: pd.DataFrame

    @property
    def place(self) -> int:
        """The place among the others; equal values share it."""
        return 1 + int((self.others["value"] > self.value).sum())

    @property
    def tool(self) -> str:
        """The convention in words."""
        return convention_title(self.convention)


@dataclass(frozen=True, eq=False)
class Standing:
    """A user's methods among the others.

    Parameters
    ----------
    options
        How the table was counted.
    yours
        The user's results that Table B.6 can take: method, dataset, metric, value.
    before, after
        The table without and with them; without any, both are the same.
    elsewhere
        The results that it cannot take.
    """

    options: Options
    yours: pd.DataFrame
    before: Joined
    after: Joined
    elsewhere: tuple[Elsewhere, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """The user's methods in the table, with the mark that tells them from others of the same name."""
        return tuple(dict.fromkeys(self.yours["method"]))

    def table(self) -> pd.DataFrame:
        """All rows of the table, the user's first, the others by NWN."""
        rows = self.after.rows()
        own = rows["method"].isin(self.methods)
        return pd.concat([rows[own], rows[~own]], ignore_index=True)

    def row(self, method: str) -> Mapping[str, Any]:
        """The row of one method."""
        return self._by_method[method]

    @cached_property
    def _by_method(self) -> dict[str, dict[str, Any]]:
        rows = self.after.rows()
        return dict(zip(rows["method"], rows.astype(object).to_dict("records"), strict=True))

    def changes(self) -> pd.DataFrame:
        """What the user's methods change in the rows of the others."""
        return what_changes(self.before, self.after)

    def duels(self) -> pd.DataFrame:
        """Return one row per result of the user: its place, and the names of those beaten, equal and ahead."""
        rivals = {
            key: (rows["method"].to_numpy(), rows["value"].to_numpy())
            for key, rows in self.before.results.sort_values("value", ascending=False, kind="stable").groupby(
                ["dataset", "metric"]
            )
        }
        nobody = np.array([], dtype=object), np.array([])
        rows = []
        for method, dataset, metric, value in self.yours[["method", "dataset", "metric", "value"]].itertuples(
            index=False
        ):
            names, values = rivals.get((dataset, metric), nobody)
            ahead, beaten, equal = (
                names[which].tolist() for which in (values > value, values < value, values == value)
            )
            rows.append((method, dataset, metric, value, len(ahead) + 1, len(names) + 1, beaten, equal, ahead))
        names = ["method", "dataset", "metric", "value", "place", "of", "beats", "equals", "loses to"]
        return pd.DataFrame(rows, columns=names)


def place_among(
    path: str | Path,
    *,
    convention: str | None = None,
    among: str = "b6",
    iwn: IwnRule = "formula",
    without_doubts: Collection[str] = (),
    unstated: bool = False,
) -> Standing:
    """Add a user's results to Table B.6, or place them among what shares their convention.

    Parameters
    ----------
    path, convention
        As for :func:`ltrlib.across.standing.reading.read_yours`.
    among, iwn, without_doubts, unstated
        As in `Options`.

    Examples
    --------
    >>> from ltrlib.project import project_data
    >>> standing = place_among(project_data("examples", "my-method.csv"))
    >>> standing.methods, len(standing.before.rows()), len(standing.before.results)
    (('MyRanker (yours)',), 87, 1050)
    """
    given = read_yours(path, convention=convention)
    options = Options(among, iwn, tuple(without_doubts), unstated)
    base = join_results(without_doubts=without_doubts, kinds=AMONG[among])
    has = set(base.loc[base["kind"] == TABLE_B6, ["dataset", "metric"]].itertuples(index=False, name=None))
    fits = []
    for line, _, dataset, metric, _, made_by, measure in given.itertuples(name=None):
        known = b6_convention(dataset)
        shared = known != UNSTATED and ((base["dataset"] == dataset) & (base["measure"] == measure)).any()
        if unstated and known == UNSTATED and (dataset, metric) in has:
            shared = True
        if made_by == UNSTATED and not shared:
            raise DataFormatError(
                f"{explain_unstated(dataset, made_by)}, and this value does not state its own",
                where=f"{path}:{line}",
                cure=(
                    "name the tool (--convention lightgbm, or a column convention) to place it among later results, "
                    "or say --unstated to count it against Table B.6 as if all tools agreed"
                ),
            )
        fits.append(bool(shared))
    inside = given[fits].assign(kind=YOURS, source=Path(path).name)
    elsewhere = [_elsewhere(row) for row in given[[not fit for fit in fits]].to_dict("records")]
    before = joined(base, iwn=iwn)
    after = joined(pd.concat([inside, base], ignore_index=True), iwn=iwn) if len(inside) else before
    return Standing(options, inside, before, after, tuple(one for group in elsewhere for one in group))


def _elsewhere(row: Mapping[Hashable, Any]) -> list[Elsewhere]:
    """Place a result in each family of its measure: one per part of the data that others report."""
    everyone = pool()
    same = everyone[(everyone["dataset"] == row["dataset"]) & (everyone["measure"] == row["measure"])]
    dataset, made_by = str(row["dataset"]), str(row["convention"])
    why = explain_unstated(dataset, made_by)
    if not ((everyone["dataset"] == dataset) & (everyone["kind"] == TABLE_B6)).any():
        why = f"Table B.6 has no results on {dataset}"
    elif row["metric"] not in METRICS:
        why = f"Table B.6 has no {row['metric']}"
    letor = everyone[(everyone["metric"] == row["metric"]) & (everyone["convention"] == LETOR)]
    known = letor[letor["dataset"] == dataset].set_index("method")["value"]
    found = []
    usual = FIVE_FOLDS if (same["part"] == FIVE_FOLDS).any() else ONE_PART
    for part in dict.fromkeys([usual, *same["part"]]):
        others = same[same["part"] == part].sort_values("value", ascending=False, kind="stable")
        if others.empty and part != usual:
            continue
        others = others.assign(**{"by LETOR": others["method"].map(known)})
        found.append(
            Elsewhere(
                str(row["method"]),
                dataset,
                str(row["metric"]),
                float(row["value"]),
                made_by,
                why,
                part,
                others[["method", "value", "kind", "source", "by LETOR"]].reset_index(drop=True),
            )
        )
    return found
