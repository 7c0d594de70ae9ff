"""Boxes that many pages show: whom to cite, which data were used, what the verdicts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ltrlib.book.output import show_markdown, show_table
from ltrlib.claims.show import anchor

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome

__all__ = ["choose_dataset", "show_cite", "show_claims", "show_data", "show_verdicts"]


def choose_dataset(wanted: str) -> str:
    """Name of the data set to use: the wanted one when it is here, else its stand-in.

    Examples
    --------
    >>> choose_dataset("standin/mq2008")
    'standin/mq2008'
    """
    from ltrlib.datasets.loading import is_here
    from ltrlib.datasets.locate import missing
    from ltrlib.datasets.registry import dataset

    if is_here(wanted):
        return wanted
    standin = dataset(wanted).standin
    if not standin:
        raise missing(dataset(wanted))
    return standin


def show_cite(paper: str) -> None:
    """Show the box that asks to cite the original paper.

    Examples
    --------
    >>> show_cite("chapelle2011")  # doctest: +ELLIPSIS
    {'text/markdown': ':::{admonition} Cite the original paper...
    """
    from ltrlib.published.tables import load_paper

    header = load_paper(paper).header
    show_markdown(
        ":::{admonition} Cite the original paper\n:class: tip\n"
        f"{{cite:t}}`{header.cite}`: *{header.title}*, {header.published_in}.\n:::"
    )


def show_data(name: str) -> None:
    """Say which data set the page used; loudly when it is a stand-in.

    Examples
    --------
    >>> show_data("standin/mq2008")  # doctest: +ELLIPSIS
    {'text/markdown': ':::{danger}...
    """
    from ltrlib.datasets.registry import real_set

    if name.startswith("standin/"):
        real = real_set(name).name
        show_markdown(
            ":::{danger}\n**Stand-in data.** "
            f"This page was computed on `{name}`: generated rows that resemble {real} in shape and difficulty but are "
            f"not the real data. No number below can confirm or refute a published one. `ltrlib data get {real}` says "
            "how to get the real set; then build the book again.\n:::"
        )
        return
    show_markdown(f":::{{note}}\nComputed on the real data set: {real_set(name).title} (`{name}`).\n:::")


def show_verdicts(outcomes: Sequence[Outcome]) -> None:
    """Show how many of the checked claims came to each verdict, by shape and word.

    Examples
    --------
    >>> show_verdicts([])
    {'text/markdown': 'No claims.', 'text/html': '<pre>No claims.</pre>', 'text/plain': ''}
    """
    from ltrlib.claims.show import badge
    from ltrlib.claims.verdict import Verdict

    numbers = Counter(outcome.verdict for outcome in outcomes)
    parts = [f"{numbers[verdict]} × {badge(verdict)}" for verdict in Verdict if numbers[verdict]]
    show_markdown(f"{len(outcomes)} claims checked: " + " · ".join(parts) if outcomes else "No claims.")


def show_claims(outcomes: Sequence[Outcome], *, name: str, caption: str) -> None:
    """Show claims as one numbered table: statement, place, published, ours, verdict, why; each row has an anchor.

    Examples
    --------
    >>> show_claims([], name="tab-example-claims", caption="Nothing.")  # doctest: +ELLIPSIS
    {'text/markdown': '```{table} Nothing...
    """
    import pandas as pd

    from ltrlib.claims.show import badge

    rows = []
    for outcome in outcomes:
        single = outcome.judgements[0] if len(outcome.judgements) == 1 else None
        several = f"{len(outcome.judgements)} values" if outcome.judgements else "–"
        rows.append(
            {
                "claim": f'<span id="{anchor(outcome.claim.id)}"></span>{outcome.claim.statement}',
                "where": outcome.claim.place,
                "published": single.published if single else several,
                "ours": single.ours if single else several,
                "verdict": badge(outcome),
                "why": outcome.reason,
            }
        )
    columns = ["claim", "where", "published", "ours", "verdict", "why"]
    show_table(pd.DataFrame(rows, columns=columns), name=name, caption=caption, align="llllll")
