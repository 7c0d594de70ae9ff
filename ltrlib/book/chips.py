"""The mark beside a table or a figure that tells from which data it comes."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, TypeAlias

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
    shown = html.escape(", ".join(name("data", key) for key in keys) or "no data set")
    kind = "data-standin" if data.standin else "data-record"
    title = html.escape(f"read from the record {data.name}, made on {data.provenance['made'][:10]}")
    what = "record of the" if data.standin or not keys else "record of the real"
    return f'<span class="data-badge {kind}" title="{title}">{what} {shown}</span>'
