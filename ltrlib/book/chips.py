"""The mark beside a table or a figure that tells from which data it comes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from ltrlib.datasets.loading import STANDIN
from ltrlib.published.names import long_name, name

if TYPE_CHECKING:
    from ltrlib.records.record import Record

__all__ = ["Data", "data_badge"]

Data: TypeAlias = "str | Record"
"""A data set by its key, or a record that was read."""


def data_badge(data: Data) -> str:
    """Say what a number was computed on: real data, a record of real data, or a stand-in.

    Examples
    --------
    >>> data_badge("mq2008")
    '<span class="data-badge data-real" title="computed on the real MQ2008 (LETOR 4.0)">real MQ2008</span>'
    >>> ">stand-in for MQ2008</span>" in data_badge("standin/mq2008")
    True
    """
    if isinstance(data, str):
        shown = html.escape(name("data", data))
        if data.startswith("standin/"):
            words = "generated rows that resemble the real set; nothing here speaks for or against a published number"
            return f'<span class="data-badge data-standin" title="{words}">{shown}</span>'
        title = html.escape(f"computed on the real {long_name('data', data)}")
        return f'<span class="data-badge data-real" title="{title}">real {shown}</span>'
    keys = list(dict.fromkeys(source.name for source in data.sources))
    kind = "data-standin" if data.standin else "data-record"
    title = html.escape(f"read from the record {data.name}, made on {data.provenance['made'][:10]}")
    return f'<span class="data-badge {kind}" title="{title}">record of {html.escape(_of(keys))}</span>'


def _of(keys: Sequence[str]) -> str:
    """Data sets in words, the real ones first.

    Examples
    --------
    >>> _of(["standin/mslr", "mq2008", "standin/mq2007"])
    'the real MQ2008 and of stand-ins for MSLR-WEB10K and MQ2007'
    """
    real = [name("data", key) for key in keys if not key.startswith(STANDIN)]
    made = [name("data", key.removeprefix(STANDIN)) for key in keys if key.startswith(STANDIN)]
    parts = [f"the real {_listed(real)}"] if real else []
    if made:
        parts.append(f"{'stand-ins' if made[1:] else 'the stand-in'} for {_listed(made)}")
    return " and of ".join(parts) or "no data set"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
