"""Protects the engineer who asks which NDCG a tool computes: one page per tool, and every difference told both ways."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from ltrlib.across.tool_pages.notes import NOTES
from ltrlib.across.tool_pages.page import differences, tool_pages, tools_table
from ltrlib.metrics.tools import TOOLS


def test_every_tool_has_a_page_that_leads_to_all_others() -> None:
    pages = tool_pages()
    assert list(pages) == [f"tools/{name}" for name in TOOLS]
    for name in TOOLS:
        links = set(re.findall(r'href="([\w-]+)\.html"', pages[f"tools/{name}"][1]))
        assert links == set(TOOLS) - {name}


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(TOOLS, 2)))
def test_two_tools_differ_on_the_page_exactly_when_their_presets_do(one: str, other: str) -> None:
    """The rule for queries that are missing from a run is not part of one ranking's NDCG."""
    a, b = (TOOLS[name].template("ndcg", 10) for name in (one, other))
    assert a is not None
    assert b is not None
    alike = replace(a, tool=None, absent="skip") == replace(b, tool=None, absent="skip")
    found = differences(one, other)
    assert (not found) == (alike and TOOLS[one].default_k == TOOLS[other].default_k)
    assert {name: (right, left) for name, (left, right) in found.items()} == differences(other, one)


def test_the_page_says_how_a_preset_was_checked() -> None:
    """Two presets rest on documentation alone, and must not look like the others."""
    for name, tool in TOOLS.items():
        content = tool_pages()[f"tools/{name}"][1]
        assert ("not checked against a run" in content) == (tool.checked == "documented")


def test_every_tool_has_its_note_in_sentences() -> None:
    assert list(NOTES) == list(TOOLS)
    assert all(note[0].isupper() and note.endswith(".") for note in NOTES.values())


def test_the_overview_links_every_tool() -> None:
    assert all(f'href="../tools/{name}.html"' in tools_table() for name in TOOLS)
