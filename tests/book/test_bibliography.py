"""Protects the reader who follows a citation: what is cited is there, complete, with a well-formed identifier."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from ltrlib.project import ROOT

pybtex = pytest.importorskip("pybtex.database")
ENTRIES = pybtex.parse_file(str(ROOT / "references.bib")).entries
CITED = {
    key.strip()
    for path in [ROOT / "index.md", *(ROOT / "chapters").rglob("*.md")]
    for keys in re.findall(r"\{cite:?\w*\}`([^`]+)`", path.read_text(encoding="utf-8"))
    for key in keys.split(",")
}


def test_what_is_cited_is_listed() -> None:
    assert CITED - set(ENTRIES) == set()
    assert len(CITED) > 10


def test_the_field_is_there() -> None:
    """The methods, metrics and tests that the book names."""
    named = {"burges2005", "cao2007", "xu2007", "freund2003", "wu2010", "metzler2007", "joachims2002", "jarvelin2002"}
    named |= {"chapelle2009", "rousseeuw1999", "friedman1937", "nemenyi1963", "holm1979", "ibrahim2017"}
    assert named - set(ENTRIES) == set()


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_has_authors_title_year_and_place(key: str) -> None:
    entry = ENTRIES[key]
    fields = entry.fields
    assert entry.persons["author"]
    assert fields["title"]
    assert re.fullmatch(r"(19|20)\d\d", fields["year"])
    assert key.endswith(fields["year"])
    places = ("journal", "booktitle", "publisher", "institution", "school", "howpublished", "note")
    assert any(place in fields for place in places)


def test_identifiers_have_their_form_and_none_is_given_twice() -> None:
    found = [entry.fields["doi"] for entry in ENTRIES.values() if "doi" in entry.fields]
    assert all(re.fullmatch(r"10\.\d{4,5}/[^\s{}]+", one) for one in found)
    assert [one for one, times in Counter(found).items() if times > 1] == []
    assert len(found) >= 20
