"""Boxes that many pages show: whom to cite, which data were used, what the verdicts are."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ltrlib.book.output import show_html, show_markdown
from ltrlib.published.names import long_name

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome
    from ltrlib.records.record import Record

__all__ = [
    "choose_dataset",
    "record_html",
    "show_cite",
    "show_claims",
    "show_data",
    "show_record",
    "show_verdicts",
]


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
    """Show the line that asks to cite the original paper.

    Examples
    --------
    >>> show_cite("chapelle2011")  # doctest: +ELLIPSIS
    {'text/markdown': '::::{div} cite-line...
    """
    from ltrlib.published.tables import load_paper

    header = load_paper(paper).header
    words = f"Cite the original: {{cite:t}}`{header.cite}`, *{header.title}*, {header.published_in}."
    show_markdown(f"::::{{div}} cite-line\n{words}\n::::")


def show_data(name: str) -> None:
    """Say in one line which data set what follows was computed on.

    Tables and figures carry their own badge (``on=`` of :func:`ltrlib.book.output.show_table`); this is for live parts
    of a page whose data set is a parameter.

    Examples
    --------
    >>> show_data("standin/mq2008")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...<span class="data-badge data-standin"...
    """
    from ltrlib.book.chips import data_badge
    from ltrlib.datasets.registry import real_set

    words = ""
    if name.startswith("standin/"):
        real = real_set(name).name
        words = (
            f"Generated rows that resemble {long_name('data', real)} in shape and difficulty: what is computed on them "
            f"neither confirms nor refutes a published number. <code>ltrlib data get {real}</code> says how to get the "
            "real set; then build the book again."
        )
    show_html(f'<p class="data-line">Computed here on {data_badge(name)} {words}</p>')


def show_record(*records: Record) -> None:
    """Say in one grey line what was read from which record; everything else about it is folded.

    Examples
    --------
    >>> from ltrlib.records.record import read_any
    >>> show_record(read_any("counts/mq2008"))  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...<details class="provenance"><summary>Computed ...
    """
    show_html("\n".join(record_html(record) for record in records))


def record_html(record: Record) -> str:
    """The line and what it hides: size, machine, parameters, seeds, the state of the code, the command.

    Examples
    --------
    >>> from ltrlib.records.record import read_any
    >>> "<dt>parameters</dt>" in record_html(read_any("koppel2019/refit"))
    True
    """
    from datetime import datetime

    from ltrlib.book.chips import data_badge
    from ltrlib.records.record import duration

    made = record.provenance
    seeds = f", {len(made['seeds'])} seeds" if len(made["seeds"]) > 1 else ""
    stale = f" {record.state()}" if record.is_stale else ""
    day = datetime.fromisoformat(made["made"])
    line = f"Computed {day.day} {day:%B %Y} in {duration(record.work)}{seeds}. {data_badge(record)}{stale}"
    facts = {
        "record": f"{record.name}, {len(record.table):,} rows",
        "machine": str(made["machine"].get("cpu", "")),
        "parameters": "; ".join(f"{key}: {_words(value)}" for key, value in made["parameters"].items()),
        "seeds": ", ".join(map(str, made["seeds"])),
        "code": f"fingerprint {record.fingerprint}. {record.state()}",
    }
    items = "".join(f"<dt>{name}</dt><dd>{html.escape(text)}</dd>" for name, text in facts.items() if text)
    if command := html.escape(made["command"]):
        items += f"<dt>again</dt><dd><code>{command}</code></dd>"
    return f'<details class="provenance"><summary>{line}</summary><dl>{items}</dl></details>'


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(one)}" for key, one in value.items())
    return ", ".join(map(_words, value)) if isinstance(value, list | tuple) else str(value)


def show_verdicts(outcomes: Sequence[Outcome]) -> None:
    """Show how many of the checked claims came to each verdict, by shape and word.

    Examples
    --------
    >>> show_verdicts([])
    {'text/markdown': 'No claims.', 'text/html': '<p>No claims.</p>', 'text/plain': ''}
    """
    from ltrlib.claims.show import badge
    from ltrlib.claims.verdict import Verdict

    numbers = Counter(outcome.verdict for outcome in outcomes)
    parts = [f"{numbers[verdict]} × {badge(verdict)}" for verdict in Verdict if numbers[verdict]]
    show_markdown(f"{len(outcomes)} claims checked: " + " · ".join(parts) if outcomes else "No claims.")


def show_claims(outcomes: Sequence[Outcome], *, name: str, caption: str, filters: bool = False) -> None:
    """Show claims, one line each, with everything else folded; each has an anchor.

    Parameters
    ----------
    outcomes
        Checked claims.
    name, caption
        Id of the list, and what it is.
    filters
        Whether a long list has filters, and shows at first the claims that the paper hangs on.

    Examples
    --------
    >>> show_claims([], name="tab-example-claims", caption="Nothing.")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...
    """
    from ltrlib.book.claim_rows import claims_html

    show_html(claims_html(outcomes, name=name, caption=caption, filters=filters))
