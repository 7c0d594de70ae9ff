"""Pareto fronts of Table B.6: the points of Figures 1 to 5, by definition and as the paper lists them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ltrlib.comparison.pareto import dominators, pareto_ranks
from ltrlib.papers.tax2015.b6 import points_of
from ltrlib.project import project_data
from ltrlib.published.tables import load_paper, load_table

__all__ = [
    "FIGURES",
    "MARKS",
    "fronts_as_listed",
    "fronts_in_short",
    "marked_points",
    "named_in_text",
    "points",
]

FIGURES: dict[str, tuple[str | None, str, str]] = {
    "NDCG@3": ("ndcg3", "Figure 1", "number of data sets"),
    "NDCG@5": ("ndcg5", "Figure 2", "number of data sets"),
    "NDCG@10": ("ndcg10", "Figure 3", "number of data sets"),
    "MAP": ("map", "Figure 4", "number of data sets"),
    "all metrics": (None, "Figure 5", "IWN"),
}
"""What each figure shows: column of Table B.6, name in the paper, horizontal axis."""

MARKS = ("on the front, named in the text", "on the front, not named", "named, but not on it", "other methods")
"""What table and text say of a method."""

_LISTED = {
    "NDCG@3": ("ndcg3-front",),
    "NDCG@5": ("ndcg5-perfect", "ndcg5-descent", "ndcg5-owpc"),
    "NDCG@10": ("ndcg10-perfect", "ndcg10-front-shared"),
    "MAP": ("map-perfect", "map-equal-certainty"),
    "all metrics": ("abstract-front", "section45-front"),
}


def points(what: str) -> pd.DataFrame:
    """Return one row per method of a figure.

    Parameters
    ----------
    what
        A key of `FIGURES`.

    Returns
    -------
    DataFrame
        method, certainty (data sets or IWN), nwn, family, described_in, rank and dominated_by in the usual reading,
        strict_rank and strictly_dominated_by as the paper prints it.

    Examples
    --------
    >>> table = points("all metrics").set_index("method")
    >>> sorted(table.index[table["rank"] == 1])[:3]
    ['AdaRank-MAP', 'AdaRank-NDCG', 'FSMRank']
    """
    paper = load_paper("tax2015")
    found = points_of(paper, FIGURES[what][0])
    table = pd.DataFrame([(m, c, n) for m, (n, c) in found.items()], columns=["method", "certainty", "nwn"])
    families = pd.read_csv(project_data("methods.csv"), index_col="method")["family"]
    sources = load_table("tax2015", "a5")
    table["family"] = table["method"].map(families).fillna("family not known")
    table["described_in"] = [sources.text(method, "described_in") for method in table["method"]]
    for reading, rank, above in (("usual", "rank", "dominated_by"), ("strict", "strict_rank", "strictly_dominated_by")):
        x, y = table["certainty"].to_numpy(), table["nwn"].to_numpy()
        table[rank] = pareto_ranks(x, y, reading=reading)  # type: ignore[arg-type]
        who = dominators(x, y, reading=reading)  # type: ignore[arg-type]
        table[above] = [", ".join(table["method"].iloc[np.asarray(one)]) for one in who]
    return table


def named_in_text(what: str) -> list[str]:
    """Return the methods that the paper's text names as optimal in a figure.

    Examples
    --------
    >>> named_in_text("MAP")
    ['RankDE', 'LAC-MR-OR']
    """
    paper = load_paper("tax2015")
    return list(dict.fromkeys(method for key in _LISTED[what] for method in paper.names(key)))


def marked_points(what: str) -> pd.DataFrame:
    """Return the points of a figure, each with its mark: what table and text say of the method.

    Parameters
    ----------
    what
        A key of `FIGURES`.

    Returns
    -------
    DataFrame
        As :func:`points`, with the column mark, one of `MARKS`.

    Examples
    --------
    >>> marked_points("NDCG@5").set_index("method").loc[["LARF", "CoList"], "mark"].tolist()
    ['on the front, named in the text', 'on the front, not named']
    """
    table, named = points(what), named_in_text(what)
    on, said = table["rank"] == 1, table["method"].isin(named)
    mark = pd.Series(MARKS[3], index=table.index)
    mark[on & said], mark[on & ~said], mark[~on & said] = MARKS[:3]
    return table.assign(mark=mark)


def fronts_in_short() -> pd.DataFrame:
    """Compare text and table, as the page shows it: how many are on each front, and where the two part.

    Examples
    --------
    >>> fronts_in_short().iloc[1].tolist()
    ['Figure 2, NDCG@5', '8', '8', 'CoList', 'OWPC', '13']
    """
    table = fronts_as_listed()
    named = [str(len(named_in_text(what))) for what in table["metric"]]
    return pd.DataFrame(
        {
            "figure": table["figure"] + ", " + table["metric"],
            "on the front": table["front (usual)"],
            "named in the text": named,
            "on the front but not named": table["missing (usual)"].replace("", "–"),
            "named but not on the front": table["not on it (usual)"].replace("", "–"),
            "on the front as printed": table["front (strict)"],
        }
    )


def fronts_as_listed() -> pd.DataFrame:
    """Compare the methods that the paper's text names as optimal with the fronts of its own table, in both readings.

    Returns
    -------
    DataFrame
        One row per figure: figure, listed in the text, usual front, missing and wrong in the usual reading, and the
        same for the strict one. A method is missing when the table puts it on the front and the text does not name it.

    Examples
    --------
    >>> fronts_as_listed().set_index("figure").loc["Figure 1", "missing (usual)"]
    ''
    """
    rows = []
    for what, (_, figure, _) in FIGURES.items():
        table = points(what)
        named = named_in_text(what)
        row = {"figure": figure, "metric": what, "listed in the text": ", ".join(named)}
        for reading, column in (("usual", "rank"), ("strict", "strict_rank")):
            front = set(table.loc[table[column] == 1, "method"])
            row[f"front ({reading})"] = str(len(front))
            row[f"missing ({reading})"] = ", ".join(sorted(front - set(named)))
            row[f"not on it ({reading})"] = ", ".join(sorted(set(named) - front))
        rows.append(row)
    return pd.DataFrame(rows)
