"""Claims of the NDCG study that follow from counting MQ2008 or from the text itself."""

from __future__ import annotations

from collections import Counter

from ltrlib.claims.cells import Cell, Conclusion, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.counts import Counts
from ltrlib.claims.evidence import CountedData
from ltrlib.papers.busafekete2012.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_MQ2008 = CountedData(("mq2008",))


@claims.add(
    "section5.yahoo-minus-ranklib",
    place="Section 5, Figure 1",
    statement="On MQ2008 the YAHOO tool's NDCG is around {yahoo-minus-ranklib} higher than RANKLIB's.",
    material=_MQ2008,
    cause="additive-bias",
    words=SAID["higher"],
)
def _(paper: Paper, mq2008: Counts) -> Cell:
    # The tools differ on these queries alone, by 1 each: the difference of the means is their share, the same for
    # every ranking and without noise. The study averages over the five test parts.
    gap = paper.statement("empty-yahoo").value - paper.statement("empty-ranklib").value
    empty, queries = mq2008.per_part("empty queries"), mq2008.per_part("queries")
    difference = sum(gap * empty[part] / queries[part] for part in queries) / len(queries)
    higher = Conclusion("the YAHOO tool gives higher values", lambda value: value > 0)
    return Value(paper.statement("yahoo-minus-ranklib"), difference, conclusion=higher)


def _largest_loss(counts: Counts, cutoff: int) -> float:
    """The most that any ranking can lose when queries shorter than the cut-off count as zero."""
    short, queries = counts.per_part(f"relevant but shorter than {cutoff}"), counts.per_part("queries")
    return sum(short[part] / queries[part] for part in queries) / len(queries)


@claims.add(
    "section5.letor-steepest",
    place="Section 5, Figure 1",
    statement="The LETOR tool's scores fall most rapidly between the cut-offs {letor-first-cutoff} and "
    "{letor-last-cutoff}.",
    material=_MQ2008,
    cause="letor-fall",
    words=SAID["degrade"],
)
def _(paper: Paper, mq2008: Counts) -> Cell:
    first, last = (int(paper.statement(f"letor-{end}-cutoff").value) for end in ("first", "last"))
    losses = {cutoff: _largest_loss(mq2008, cutoff) for cutoff in range(1, last + 1)}
    steepest = max(range(2, last + 1), key=lambda cutoff: losses[cutoff] - losses[cutoff - 1])
    witness = "largest loss at 1 to 10: " + " ".join(f"{loss:.3f}" for loss in losses.values())
    return Statement(first <= steepest <= last, witness, f"the steepest step is between {first} and {last}")


@claims.add(
    "section3.groups",
    place="Section 3",
    statement="The groups divide the tools: each of the tools compared is in exactly one group.",
    weight="editorial",  # YAHOO is listed where RANKLIB is meant
    cause="yahoo-in-two-groups",
    words=SAID["groups"],
)
def _(paper: Paper) -> Cell:
    compared = [paper["tools_compared"].text(row, "tool") for row in paper["tools_compared"].rows]
    grouped = Counter(paper["tools"].text(row, "tool") for row in paper["tools"].rows)
    wrong = {tool: grouped[tool] for tool in compared if grouped[tool] != 1}
    witness = (
        ", ".join(f"{tool} is in {f'{number} groups' if number else 'none'}" for tool, number in wrong.items())
        or "each in one"
    )
    return Statement(not wrong, witness, "each tool is in one group")


@claims.add(
    "section3.empty-query",
    place="Sections 3 and 5",
    statement="The text gives the YAHOO tool one score for a query without relevant documents.",
    weight="editorial",
    cause="yahoo-in-two-groups",
    words=SAID["yahoo-alone"],
)
def _(paper: Paper) -> Cell:
    scores = {
        n.value
        for row, n in paper["tools"].column("empty_query").items()
        if paper["tools"].text(row, "tool") == "YAHOO"
    }
    scores.add(paper.statement("empty-yahoo").value)
    return Statement(len(scores) == 1, f"it gives {' and '.join(map(str, sorted(scores)))}", "one score")


@claims.add(
    "section3.number-of-tools",
    place="Section 3",
    statement="The text lists {tools-compared} tools in {tool-groups} groups, {first-group} of them in the first.",
    words=SAID["groups"],
)
def _(paper: Paper) -> list[Cell]:
    groups = Counter(row.partition(" / ")[0] for row in paper["tools"].rows)
    return [
        Value(paper.statement("tools-compared"), len(paper["tools_compared"].rows), "tools"),
        Value(paper.statement("tool-groups"), len(groups), "groups"),
        Value(paper.statement("first-group"), groups["1"], "tools of the first group"),
    ]


@claims.add(
    "section4.number-of-learners",
    place="Sections 4 and 5",
    statement="The text describes the {algorithms} learners that it compares.",
    words=SAID["learners"],
)
def _(paper: Paper) -> Cell:
    learners = {row.partition(" / ")[0] for row in paper["learners"].rows}
    return Value(paper.statement("algorithms"), len(learners))


@claims.add(
    "section3.gains",
    place="Section 3; formula (1)",
    statement="The gains named for MQ2008, {grade-label-0}, {grade-label-1} and {grade-label-2}, are those of the "
    "exponential formula.",
    words=SAID["grades"],
)
def _(paper: Paper) -> list[Cell]:
    return [Value(paper.statement(f"grade-label-{label}"), 2**label - 1, f"label {label}") for label in range(3)]
