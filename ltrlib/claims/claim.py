"""A claim of a paper: what it says, what hangs on it, how we check it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Any, TypeAlias

from ltrlib.claims.cells import Cell
from ltrlib.claims.evidence import OWN_NUMBERS, CheckedBy, CountedData, Evidence, Material, NotPublic, gather
from ltrlib.claims.outcome import Outcome
from ltrlib.claims.rules import Judgement, judge
from ltrlib.claims.words import TableCells, Words
from ltrlib.errors import ClaimError
from ltrlib.published.tables import Paper, load_paper
from ltrlib.records.definitions import find_code

__all__ = ["Claim", "ClaimList", "Outcome", "Weight"]

_ID = re.compile(r"[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)+")
_CAUSE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
Comparison: TypeAlias = Callable[..., Cell | Sequence[Cell]]
Otherwise: TypeAlias = Callable[..., tuple[Any, ...]]


class Weight(Enum):
    """What hangs on a claim in its paper; taken from the paper's text alone, before the claim is checked.

    Examples
    --------
    >>> [weight.value for weight in Weight], Weight("central").rank
    (['central', 'supporting', 'editorial'], 0)
    """

    CENTRAL = "central"
    SUPPORTING = "supporting"
    EDITORIAL = "editorial"

    @property
    def rank(self) -> int:
        """0 for the heaviest."""
        return list(Weight).index(self)

    @property
    def meaning(self) -> str:
        """One sentence that explains it."""
        return _WEIGHTS[self]


_WEIGHTS = {
    Weight.CENTRAL: "It stands in the abstract, among the contributions or in the conclusion.",
    Weight.SUPPORTING: "The argument uses it.",
    Weight.EDITORIAL: "If it is wrong, a pen has slipped, and no conclusion changes.",
}


@dataclass(frozen=True)
class Claim:
    """A statement of a paper and how we check it.

    Parameters
    ----------
    id
        ``<paper>.<where>.<what>``.
    place
        Where it stands: table, row, column, or section.
    template
        What is claimed, in our words. ``{kendall}`` stands for what the paper prints in its sentence ``kendall``,
        ``{table1/LambdaMART/mslr_ndcg}`` for a cell of a table; see :attr:`statement`.
    compare
        Takes the paper's tables, and what the material yields; returns one or more cells to be judged.
    material
        What the claim is checked on.
    proxy
        In which way ours is not what the paper measured; the verdict is then `not comparable`, with ours shown.
    module
        Where it is declared: the room in which it stands is the page that treats it.
    chapter
        The page that treats it, for a room that is no paper's; see :class:`ClaimList`.
    weight
        Central, supporting or editorial, by the paper's text alone.
    cause
        A short name that joins claims of the paper that are one observation; see :mod:`ltrlib.claims.causes`.
    corrected
        Where the authors corrected it themselves, such as ``the journal's text``.
    words
        The sentences or cells that are judged.
    other_data
        Data that the paper never used, on which the claim is asked here. If it fails there, it does not carry over;
        the paper is not contradicted.
    otherwise
        For the test that every claim can fail: takes what ``compare`` takes and returns the same with other values
        that could have been printed or measured, under which the verdict is another one. Needed only where the test
        finds none by itself.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> outcome = claim("chapelle2011.table1.queries").check()
    >>> outcome.verdict.word, outcome.judgements[0].ours
    ('exact', '36,251')
    """

    id: str
    place: str
    template: str
    compare: Comparison
    material: Material = OWN_NUMBERS
    proxy: str | None = None
    module: str = ""
    weight: Weight = Weight.SUPPORTING
    cause: str | None = None
    corrected: str | None = None
    words: tuple[Words, ...] = ()
    other_data: str | None = None
    otherwise: Otherwise | None = field(default=None, compare=False)
    chapter: str | None = None

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ClaimError(f"not a valid claim id: {self.id!r}", cure="write <paper>.<where>.<what>, lower case")
        if self.cause is not None and not _CAUSE.fullmatch(self.cause):
            raise ClaimError(
                f"not a valid cause: {self.cause!r}", cure="write a few-words, lower case, without the paper"
            )

    @property
    def statement(self) -> str:
        """What is claimed, with the printed values filled in.

        Examples
        --------
        >>> Claim("chapelle2011.a.b", "here", "The best had {kendall} in both.", lambda paper: ()).statement
        'The best had 0.89 in both.'
        """
        return _PLACEHOLDER.sub(self._printed, self.template)

    def _printed(self, match: re.Match[str]) -> str:
        paper, parts = load_paper(self.paper), match[1].split("/")
        table, row, column = parts if len(parts) == 3 else ("statements", match[1], "text")
        return paper.tables[table].text(row, column)

    @property
    def cause_id(self) -> str:
        """``<paper>.<cause>``; the claim's own id if it is one observation by itself."""
        return self.id if self.cause is None else f"{self.paper}.{self.cause}"

    @property
    def checked_by(self) -> CheckedBy:
        """How it is checked: arithmetic, counted, rerun, rerun on other data, or not public."""
        rerun_elsewhere = self.material.checked_by == "rerun" and self.other_data is not None
        return "rerun on other data" if rerun_elsewhere else self.material.checked_by

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.id.partition(".")[0]

    @property
    def judges(self) -> str:
        """Key of the publication whose words are judged: the paper's, unless all of them are cells of another.

        Examples
        --------
        >>> from ltrlib.claims.registry import claim
        >>> claim("busafekete2012.letor4.ranksvm").judges, claim("busafekete2012.section5.adarank-lower").judges
        ('letor4', 'busafekete2012')
        """
        whose = {one.paper if isinstance(one, TableCells) else None for one in self.words}
        return self.paper if None in whose or not whose else ", ".join(sorted(name for name in whose if name))

    @property
    def room(self) -> str:
        """The room in which it stands: of its paper, such as ``table1``, or of ``across``, such as ``continued``."""
        place = self.module.removeprefix("ltrlib.papers.").removeprefix("ltrlib.")
        home, _, rest = place.partition(".")
        return rest.partition(".")[0] if home in (self.paper, "across") else ""

    @property
    def command(self) -> str:
        """What to run to check it again."""
        return f"ltrlib claims check {self.id}"

    def on(self, *datasets: str) -> Claim:
        """Return the claim on other data sets, such as stand-ins.

        Examples
        --------
        >>> from ltrlib.claims.registry import claim
        >>> claim("busafekete2012.section5.yahoo-minus-ranklib").on("standin/mq2008").material
        CountedData(datasets=('standin/mq2008',))
        """
        if not isinstance(self.material, CountedData) or len(self.material.datasets) != len(datasets):
            raise ClaimError(f"{self.id} does not count {len(datasets)} data sets")
        return replace(self, material=CountedData(datasets))

    def check(self, paper: Paper | None = None, *, evidence: Evidence | None = None) -> Outcome:
        """Compute ours, compare, and judge.

        Parameters
        ----------
        paper
            The published numbers; those of ``data/published/`` if not given.
        evidence
            What to check on; the claim's material if not given.

        Examples
        --------
        >>> from ltrlib.claims.registry import claim
        >>> claim("tax2015.b6.iwn-even").check().verdict.word
        'inconsistent'
        """
        evidence = gather(self.material) if evidence is None else evidence
        judgements: tuple[Judgement, ...] = ()
        if evidence.missing is None:
            cells = self.compare(load_paper(self.paper) if paper is None else paper, *evidence.inputs)
            cells = cells if isinstance(cells, Sequence) else (cells,)
            if not cells:
                raise ClaimError(f"{self.id} compares nothing")
            judgements = tuple(judge(cell, own=evidence.own) for cell in cells)
        code = _code_fingerprint(self.module or self.compare.__module__)
        return Outcome(self, judgements, evidence.words, evidence.standin, evidence.missing, code)


@cache
def _code_fingerprint(module: str) -> str:
    own = [module] if module.startswith("ltrlib.") else []
    return find_code("ltrlib.claims.claim:Claim", *own).fingerprint


class ClaimList:
    """The claims of one module of a room, in the order in which their functions are written.

    Parameters
    ----------
    module
        The module's ``__name__``: ``ltrlib.papers.<paper>.<room>.claims*``, or ``ltrlib.across.<room>.claims_<paper>``
        for claims that need more than their paper; or the paper's key alone. The ids of the claims begin with that key.
    chapter
        The page of a room in ``across``, such as ``60-table-b6-continued``. A paper's room needs none: its chapter is
        named after it.

    Examples
    --------
    >>> from ltrlib.claims.cells import Value
    >>> claims = ClaimList("chapelle2011")
    >>> @claims.add("table6.all", place="Table 6", statement="As many teams as the text says.")
    ... def _(paper):
    ...     return Value(paper.statement("teams"), paper["table6"].number("0", "teams").exact)
    >>> [claim.id for claim in claims]
    ['chapelle2011.table6.all']
    """

    def __init__(self, module: str, chapter: str | None = None) -> None:
        across = module.startswith("ltrlib.across.")
        if across != (chapter is not None):
            raise ClaimError(f"{module} names {'no' if across else 'a'} chapter", cure="rooms in across do, others not")
        self.module = module if "." in module else ""
        self.chapter = chapter
        self.paper = (
            module.rpartition(".claims_")[2] if across else module.removeprefix("ltrlib.papers.").partition(".")[0]
        )
        self._claims: dict[str, Claim] = {}

    def __iter__(self) -> Any:
        return iter(self._claims.values())

    def add(
        self,
        name: str,
        *,
        place: str,
        statement: str,
        material: Material = OWN_NUMBERS,
        proxy: str | None = None,
        weight: str = "supporting",
        cause: str | None = None,
        corrected: str | None = None,
        words: Words | Sequence[Words] = (),
        other_data: str | None = None,
        otherwise: Otherwise | None = None,
    ) -> Callable[[Comparison], Comparison]:
        """Declare a claim; the decorated function compares.

        Parameters
        ----------
        name
            The id without the paper.
        place, statement, material, proxy, weight, cause, corrected, words, other_data, otherwise
            As for :class:`Claim`; the statement may be a template.

        Examples
        --------
        >>> from ltrlib.claims.cells import Statement
        >>> claims = ClaimList("tax2015")
        >>> @claims.add("table4.rows", place="Table 4", statement="Six methods are shown.")
        ... def _(paper):
        ...     rows = len(paper["table4"].rows)
        ...     return Statement(rows == 6, f"{rows} rows", "six rows")
        >>> next(iter(claims)).check().verdict.word
        'exact'
        """

        def declare(compare: Comparison) -> Comparison:
            claim = Claim(
                f"{self.paper}.{name}",
                place,
                statement,
                compare,
                material,
                proxy,
                self.module,
                Weight(weight),
                cause,
                corrected,
                tuple(words) if isinstance(words, Sequence) else (words,),
                other_data,
                otherwise,
                self.chapter,
            )
            if claim.id in self._claims:
                raise ClaimError(f"the claim {claim.id} is declared twice")
            self._claims[claim.id] = claim
            return compare

        return declare

    def add_unchecked(
        self,
        name: str,
        *,
        place: str,
        statement: str,
        needs: str,
        weight: str = "supporting",
        words: Words | Sequence[Words] = (),
    ) -> None:
        """Declare a claim that nobody can check, because what it needs was never published.

        Parameters
        ----------
        name, place, statement, weight, words
            As for :meth:`add`.
        needs
            What is missing, in the plural.

        Examples
        --------
        >>> claims = ClaimList("chapelle2011")
        >>> claims.add_unchecked("figure4.views", place="Figure 4", statement="Page views.", needs="the site's logs")
        >>> next(iter(claims)).check().reason
        "the site's logs were never published"
        """

        def compare(paper: Paper) -> Cell:
            raise ClaimError(f"{self.paper}.{name} needs {needs}")

        material = NotPublic(needs)
        self.add(name, place=place, statement=statement, material=material, weight=weight, words=words)(compare)
