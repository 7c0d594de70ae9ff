"""What the book found about each paper, in a sentence or two: written by people, with computed numbers.

A headline says which claims it rests on and what they must have come to. If they come to something else, the sentence
no longer follows: a test fails, and the front page shows the counts alone until somebody has written a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ltrlib.claims.claim import Outcome
from ltrlib.claims.verdict import Verdict

__all__ = ["HEADLINES", "Headline"]

_HOLDS = (Verdict.EXACT, Verdict.WITHIN_NOISE, Verdict.SAME_CONCLUSION)
_AGAINST = (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT)
_NOT_SHOWN = (*_AGAINST, Verdict.UNDECIDED)


@dataclass(frozen=True)
class Headline:
    """One paper's headline.

    Parameters
    ----------
    paper, called
        The paper's key, and what the front page calls it.
    text
        The sentence, with names in braces for its numbers.
    numbers
        Computes the numbers from the checked claims, by id without the paper.
    rests_on
        Claim (id without the paper) -> the verdicts under which the sentence is true.

    Examples
    --------
    >>> [headline.paper for headline in HEADLINES]
    ['koppel2019', 'busafekete2012', 'chapelle2011', 'tax2015']
    """

    paper: str
    called: str
    text: str
    numbers: Callable[[Mapping[str, Outcome]], Mapping[str, str]]
    rests_on: Mapping[str, tuple[Verdict, ...]]

    def broken(self, outcomes: Sequence[Outcome]) -> list[str]:
        """Claims that no longer bear the sentence out.

        Examples
        --------
        >>> HEADLINES[0].broken([])[0]
        'table1.mq2008-ndcg is not checked'
        """
        known = self._known(outcomes)
        found = [f"{name} is not checked" for name in self.rests_on if name not in known]
        return found + [
            f"{name} is {known[name].verdict.word}"
            for name, wanted in self.rests_on.items()
            if name in known and known[name].verdict not in wanted
        ]

    def sentence(self, outcomes: Sequence[Outcome]) -> str:
        """The headline with its numbers; empty if it does not follow.

        Examples
        --------
        >>> HEADLINES[0].sentence([])
        ''
        """
        return "" if self.broken(outcomes) else self.text.format(**self.numbers(self._known(outcomes)))

    def _known(self, outcomes: Sequence[Outcome]) -> Mapping[str, Outcome]:
        return {one.claim.id.removeprefix(f"{self.paper}."): one for one in outcomes if one.claim.paper == self.paper}


def _directranker(known: Mapping[str, Outcome]) -> Mapping[str, str]:
    from ltrlib.papers.koppel2019.table1.records import REFIT
    from ltrlib.papers.koppel2019.table1.tables import with_error
    from ltrlib.published.tables import load_table

    cell = next(one for one in known["table1.mq2008-ndcg"].judgements if one.name == "DirectRanker")
    table = load_table("koppel2019", "table1")
    return {
        "published": cell.published.partition("(")[0],
        "ours": f"{cell.value:.3f}",
        "esrank": table.text("ES-Rank", "mq2008_ndcg"),
        "alike": with_error(REFIT.read().table, "DirectRanker", "ndcg_all").partition(" ")[0],
    }


def _tools(known: Mapping[str, Outcome]) -> Mapping[str, str]:
    from ltrlib.across.tool_pages.page import one_ranking

    values = one_ranking().values()
    return {"low": f"{min(values):.2f}", "high": f"{max(values):.2f}"}


def _challenge(known: Mapping[str, Outcome]) -> Mapping[str, str]:
    own = [one for one in known.values() if one.checked_by == "arithmetic" and one.verdict in (*_HOLDS, *_AGAINST)]
    return {"all": str(len(own)), "hold": str(sum(one.verdict in _HOLDS for one in own))}


def _comparison(known: Mapping[str, Outcome]) -> Mapping[str, str]:
    from ltrlib.papers.tax2015.pareto.tables import points
    from ltrlib.published.tables import load_paper

    everything = points("all metrics")
    return {
        "front": str(int((everything["rank"] == 1).sum())),
        "named": str(len(load_paper("tax2015").names("abstract-front"))),
        "methods": str(len(everything)),
    }


HEADLINES = (
    Headline(
        "koppel2019",
        "DirectRanker 2019",
        "An NDCG@10 of {published} on MQ2008 comes out at {ours}: each fold is within noise, the mean just too close "
        "to call. The lead over ES-Rank ({esrank}) seems to be one of protocols: scored on all queries it has {alike}.",
        _directranker,
        {
            "table1.mq2008-ndcg": (Verdict.UNDECIDED,),
            "table1.mq2008-folds": _HOLDS,
            "table1.mq2008-other-paper": (*_NOT_SHOWN, Verdict.NOT_COMPARABLE),
        },
    ),
    Headline(
        "busafekete2012",
        "NDCG tools 2012",
        "The tools do disagree: one ranking scores {low} to {high}. That training with LETOR's NDCG does harm could "
        "not be reproduced.",
        _tools,
        {"figure1.letor-training": _NOT_SHOWN, "figure1.additive-bias": _HOLDS},
    ),
    Headline(
        "chapelle2011",
        "Yahoo! challenge 2011",
        "The columns of Table 3 are swapped. Nearly everything else adds up: {hold} of {all} claims that arithmetic "
        "can check.",
        _challenge,
        {"table3.columns-swapped": _AGAINST},
    ),
    Headline(
        "tax2015",
        "87 methods 2015",
        "The abstract names {named} methods as the Pareto front; by its own table there are {front}. All WN and IWN "
        "of that table follow from its raw results, IWN by another rule than the printed formula.",
        _comparison,
        {"abstract.front": _AGAINST, "b6.recomputed-iwn": (Verdict.EXACT,), "b6.iwn-formula": _AGAINST},
    ),
)
"""One headline per paper, the youngest first."""
