"""Where does my method stand: a user's results among published ones and our own runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from ltrlib.across.our_runs.records import CEILINGS, METRICS, VALUES
from ltrlib.comparison.pareto import add_pareto_ranks, dominators, pareto_ranks
from ltrlib.comparison.reading import read_results
from ltrlib.comparison.results import ALL_METRICS, encode_results
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.published.tables import load_table

__all__ = ["OURS", "PUBLISHED", "YOURS", "Standing", "known_results", "place_among", "read_yours", "scripts"]

PUBLISHED, OURS, YOURS = "published", "our runs", "yours"
"""Where a result comes from."""

_LETOR = {
    "LETOR3.0 TD2003": "td2003",
    "LETOR3.0 TD2004": "td2004",
    "LETOR3.0 OHSUMED": "ohsumed",
    "LETOR4.0 MQ2007": "mq2007",
}
_BY_US, _MARK = " (ours)", f" ({YOURS})"


def known_results() -> pd.DataFrame:
    """All results that the book has in the metrics of Table B.6: published ones that were found, and our own runs.

    These are not the results behind Table B.6 of Tax et al. (2015), which were never published: winning numbers
    computed from them are of the same kind, but over fewer data sets and other methods.

    A method that was published and run by us appears twice, ours marked; of two published values for the same method,
    data set and metric the one with more digits is kept.

    Returns
    -------
    pandas.DataFrame
        Columns method, dataset, metric, value, kind (``published`` or ``our runs``) and source.
    """
    table = load_table("liu2011", "evaluation_results")
    rows = []
    for key, number in table.column("value").items():
        source, dataset, method, metric = key.split(" / ")
        rows.append((method, _LETOR[dataset], metric, number.value, PUBLISHED, source, number.last_place))
    columns = ["method", "dataset", "metric", "value", "kind", "source"]
    published = pd.DataFrame(rows, columns=[*columns, "unit"])
    published = published[published["metric"].isin(METRICS)].sort_values("unit", kind="stable")
    published = published.drop_duplicates(["method", "dataset", "metric"]).sort_index()
    own = VALUES.read()
    ours = own.table.assign(kind=OURS, source=f"record {own.name}")
    ours = ours.assign(method=ours["method"] + _BY_US)
    return pd.concat([published[columns], ours[columns]], ignore_index=True)


def scripts() -> dict[str, str]:
    """The evaluation script behind the values on each data set.

    Examples
    --------
    >>> scripts()["mq2008"], scripts()["td2003"]
    ('letor4', 'letor3')
    """
    ours = CEILINGS.read().table
    published = {name: f"letor{title[5]}" for title, name in _LETOR.items()}
    return published | dict(zip(ours["dataset"], ours["script"], strict=True))


def canonical_dataset(name: str, known: list[str]) -> str:
    """Name of a data set as the book writes it; case, blanks and a leading LETOR do not matter.

    Examples
    --------
    >>> canonical_dataset("LETOR 3.0 OHSUMED", ["ohsumed", "mq2008"])
    'ohsumed'
    >>> canonical_dataset("MQ2009", ["ohsumed", "mq2008"])
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: the book has no results on a data set 'MQ2009', did you mean mq2008?
      to do: choose ohsumed, mq2008
    """
    short = name.lower().replace(" ", "")
    for collection in ("letor2.0", "letor3.0", "letor4.0"):
        short = short.removeprefix(collection)
    if short in known:
        return short
    close = get_close_matches(short, known, n=1)
    guess = f", did you mean {close[0]}?" if close else ""
    raise UsageError(f"the book has no results on a data set {name!r}{guess}", cure=f"choose {', '.join(known)}")


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
        """Points of Figure 5: NWN against IWN over all metrics, with Pareto ranks and who dominates whom."""
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


def read_yours(path: str | Path) -> pd.DataFrame:
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
    >>> read_yours(file)  # doctest: +ELLIPSIS
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
    ceilings = {(row["dataset"], row["metric"]): row for row in CEILINGS.read().table.to_dict("records")}
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


def place_among(path: str | Path) -> Standing:
    """Add a user's results to those that the book has, and compute winning numbers and Pareto ranks anew.

    Examples
    --------
    >>> from ltrlib.project import project_data
    >>> place_among(project_data("examples", "my-method.csv")).methods
    ('MyRanker (yours)',)
    """
    given = read_yours(path)
    yours = given.assign(kind=YOURS, source=Path(path).name)
    results = pd.concat([yours, known_results()], ignore_index=True)
    winning = add_pareto_ranks(winning_numbers(results))
    return Standing(results, winning, tuple(dict.fromkeys(given.loc[given["value"].notna(), "method"])))
