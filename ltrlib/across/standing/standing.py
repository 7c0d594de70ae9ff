"""Where does my method stand: a user's results among those that the book holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ltrlib.across.our_runs.records import METRICS, own_ceilings
from ltrlib.across.standing.known_results import canonical_dataset, held_results, scripts
from ltrlib.comparison.pareto import add_pareto_ranks, dominators, pareto_ranks
from ltrlib.comparison.reading import read_results
from ltrlib.comparison.results import ALL_METRICS, encode_results
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import DataFormatError, UsageError

__all__ = ["YOURS", "Standing", "compare_with_held", "read_newcomer"]

YOURS = "yours"
"""What a user's results are called beside the published ones and our runs."""

_MARK = f" ({YOURS})"


@dataclass(frozen=True, eq=False)
class Standing:
    """A user's methods among the others.

    Parameters
    ----------
    results
        All results: method, dataset, metric, value, kind, source.
    winning
        Winning numbers and Pareto ranks of all methods, per metric and over all.
    methods
        The user's methods, with the mark that tells them from others of the same name.
    """

    results: pd.DataFrame
    winning: pd.DataFrame
    methods: tuple[str, ...]

    def table(self) -> pd.DataFrame:
        """All methods as rows of Table B.6, the user's first, the others by NWN."""
        rows = []
        for method, group in self.winning.groupby("method", sort=False):
            found = {row["metric"]: row for row in group.to_dict("records")}
            row: dict[str, object] = {"method": method}
            for metric in METRICS:
                one = found.get(metric, {"nwn": math.nan, "datasets": 0})
                row |= {f"{metric} NWN": one["nwn"], f"{metric} sets": one["datasets"]}
            whole = found[ALL_METRICS]
            row |= {"WN": whole["wn"], "IWN": whole["iwn"], "NWN": whole["nwn"], "Pareto rank": whole["pareto_rank"]}
            rows.append(row)
        table = pd.DataFrame(rows)
        own = table["method"].isin(self.methods)
        return pd.concat([table[own], table[~own].sort_values("NWN", ascending=False, kind="stable")]).reset_index(
            drop=True
        )

    def points(self) -> pd.DataFrame:
        """Points for :mod:`ltrlib.papers.tax2015.pareto.figures`, as in Figure 5: NWN against IWN over all metrics."""
        whole = self.winning[(self.winning["metric"] == ALL_METRICS) & self.winning["nwn"].notna()]
        kinds = self.results.drop_duplicates("method").set_index("method")
        points = pd.DataFrame({"method": whole["method"], "certainty": whole["iwn"], "nwn": whole["nwn"]})
        points = points.reset_index(drop=True)
        points["family"] = [kinds.loc[method, "kind"] for method in points["method"]]
        points["described_in"] = [kinds.loc[method, "source"] for method in points["method"]]
        x, y = points["certainty"].to_numpy(), points["nwn"].to_numpy()
        points["rank"], points["strict_rank"] = pareto_ranks(x, y), pareto_ranks(x, y, reading="strict")
        points["dominated_by"] = [", ".join(points["method"].iloc[who]) for who in dominators(x, y)]
        return points


def read_newcomer(path: str | Path) -> pd.DataFrame:
    r"""Read and check a user's results.

    Parameters
    ----------
    path
        A CSV file with the columns method, dataset, metric, value. The metric may name the tool that computed it
        (``NDCG@10:letor4``); without one it is taken to be the collection's own script.

    Returns
    -------
    pandas.DataFrame
        Method, dataset and metric as the book writes them, and value; the index holds the line numbers.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "mine.csv")
    >>> _ = file.write_text("method,dataset,metric,value\nMine,MQ2008,NDCG@10,0.51\n")
    >>> read_newcomer(file)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.DataFormatError: ...mine.csv:2: 0.51 is out of reach: a perfect ranking of mq2008 has...
    """
    given = read_results(path)
    if given["value"].isna().all():
        raise DataFormatError("no result behind the header", where=path, cure="give one row per result")
    by_script = scripts()
    known = sorted(by_script, key=lambda name: (name.startswith("standin/"), name))
    rows = []
    for line, method, dataset, metric, value in given.itertuples(name=None):
        where = f"{path}:{line}"
        try:
            place = canonical_dataset(dataset, known)
            written, tool = _metric(metric)
            alike = tool is None or _same(tool, by_script[place])
        except UsageError as error:
            raise DataFormatError(error.what, where=where, cure=error.cure) from None
        if not alike:
            raise DataFormatError(
                f"{written} by {tool} cannot be compared: the book's values on {place} are by {by_script[place]}",
                where=where,
                cure=f"score the ranking again with ltrlib eval and {written.lower()}:{by_script[place]}",
            )
        rows.append((f"{method}{_MARK}" if method else "", place, written, value))
    table = pd.DataFrame(rows, columns=["method", "dataset", "metric", "value"], index=given.index)
    encode_results(table, source=path)
    _check_ceilings(table, path)
    return table


def _metric(text: str) -> tuple[str, str | None]:
    name, _, tool = text.partition(":")
    written = {metric.lower(): metric for metric in METRICS}.get(name.lower().replace(" ", ""))
    if written is None:
        raise UsageError(f"Table B.6 has no metric {name!r}", cure=f"choose {', '.join(METRICS)}")
    return written, tool or None


def _same(tool: str, script: str) -> bool:
    """Whether two tools score alike, as far as the four metrics go."""
    from ltrlib.metrics.tools import TOOLS

    if tool not in TOOLS:
        raise UsageError(f"there is no tool {tool!r}", cure=f"choose {', '.join(TOOLS)}")
    return tool == script or {tool, script} == {"letor3", "letor4"}


def _check_ceilings(table: pd.DataFrame, path: str | Path) -> None:
    """Refuse a value that no ranking can have under the script: another convention is behind it."""
    ceilings = {(row["dataset"], row["metric"]): row for row in own_ceilings().table.to_dict("records")}
    for line, _, dataset, metric, value in table.itertuples(name=None):
        if ceiling := ceilings.get((dataset, metric)):
            script, highest = ceiling["script"], float(ceiling["value"])
            # Half a unit of the fourth decimal, as results are printed.
            if value > highest + 0.00005:
                raise DataFormatError(
                    f"{value} is out of reach: a perfect ranking of {dataset} has {metric} {highest:.4f} by {script}",
                    where=f"{path}:{line}",
                    cure=f"another convention is behind it: score again with ltrlib eval and {metric.lower()}:{script}",
                )


def compare_with_held(path: str | Path) -> Standing:
    """Add a user's results to those that the book holds, and compute winning numbers and Pareto ranks anew.

    Examples
    --------
    >>> from ltrlib.project import project_data
    >>> standing = compare_with_held(project_data("examples", "my-method.csv"))
    >>> standing.methods
    ('MyRanker (yours)',)
    """
    given = read_newcomer(path)
    yours = given.assign(kind=YOURS, source=Path(path).name)
    results = pd.concat([yours, held_results()], ignore_index=True)
    winning = add_pareto_ranks(winning_numbers(results))
    return Standing(results, winning, tuple(dict.fromkeys(given.loc[given["value"].notna(), "method"])))
