"""The bibliography under author and year, as the text cites, in the order of the names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.plain import Style as Plain
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx

__all__ = ["NAME", "AuthorYearLabels", "AuthorYearStyle", "setup"]

NAME = "author_year_labels"
"""What the configuration calls the style."""


class AuthorYearLabels(BaseLabelStyle):  # type: ignore[misc]
    """Labels such as ``Tax et al. 2015``.

    Examples
    --------
    >>> from pybtex.database import parse_string
    >>> entries = parse_string("@misc{x, author={Tax, N. and Bo, S. and Hi, D.}, year={2015}}", "bibtex").entries
    >>> list(AuthorYearLabels().format_labels(entries.values()))
    ['Tax et al. 2015']
    """

    def format_labels(self, sorted_entries: Iterable[Any]) -> Iterator[str]:
        """Give each entry its label."""
        for entry in sorted_entries:
            names = [
                str(Text.from_latex(" ".join([*person.prelast_names, *person.last_names])))
                for person in entry.persons["author"]
            ]
            shown = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
            yield f"{shown} {entry.fields['year']}"


class AuthorYearStyle(Plain):  # type: ignore[misc]
    """The plain style with these labels."""

    default_label_style = AuthorYearLabels


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    register_plugin("pybtex.style.formatting", NAME, AuthorYearStyle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
