"""Where the results of a method come from: Table A.5, and the LETOR collections that it abbreviates."""

from __future__ import annotations

from ltrlib.published.tables import Paper

__all__ = ["LETOR", "letor_datasets", "official", "only_official", "studies"]

LETOR = {"L2": "LETOR 2.0", "L3": "LETOR 3.0", "L4": "LETOR 4.0"}
"""The official baselines of LETOR: how Table A.5 and Table 1 name the collections."""


def studies(paper: Paper, method: str) -> list[str]:
    """List the sources of a method's results; "Lai et al. (2013a,b)" names two.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> studies(load_paper("tax2015"), "FenchelRank")
    ['Lai et al. 2013a', 'Lai et al. 2013b', 'Laporte et al. 2013']
    """
    found = []
    for source in paper["a5"].text(method, "evaluated_in").split("; "):
        authors, _, years = source.removesuffix(")").partition(" (")
        named = [year.strip() for year in years.split(",")]
        # A letter alone is a second study of the year before it.
        found += [f"{authors} {year if year[:1].isdigit() else named[0][:4] + year}".strip() for year in named]
    return found


def official(paper: Paper, method: str) -> list[str]:
    """List the LETOR collections of which a method is an official baseline, as Table A.5 abbreviates them.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> official(load_paper("tax2015"), "ListNet")
    ['L2', 'L3', 'L4']
    """
    return [source for source in studies(paper, method) if source in LETOR]


def only_official(paper: Paper, method: str) -> bool:
    """Whether a method has no other sources than those collections.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> only_official(load_paper("tax2015"), "ListNet"), only_official(load_paper("tax2015"), "FenchelRank")
    (True, False)
    """
    return len(official(paper, method)) == len(studies(paper, method))


def letor_datasets(paper: Paper, method: str) -> int:
    """Number of data sets in the LETOR collections of which a method is an official baseline, by Table 1.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> letor_datasets(load_paper("tax2015"), "ListNet")
    12
    """
    return sum(int(paper["table1"].number(LETOR[source], "datasets").exact) for source in official(paper, method))
