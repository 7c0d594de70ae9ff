"""Protects the engineer who trusts the playground: its script gives what the library gives, for every tool."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ltrlib.across.playground.page import playground_html
from ltrlib.across.playground.presets import EXAMPLES, FAMILIES, presets
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import evaluate
from ltrlib.metrics.tools import TOOLS
from ltrlib.project import ROOT
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUERIES = 2_000


def test_every_tool_and_every_choice_is_exported() -> None:
    """A choice that the export forgot would be undefined in the script."""
    exported = {tool["name"]: tool for tool in presets()["tools"]}
    assert list(exported) == list(TOOLS)
    for name, tool in TOOLS.items():
        for metric in tool.metrics:
            if metric.family in FAMILIES:
                rule = exported[name]["metrics"][metric.family]
                assert rule == {choice: getattr(metric, choice) for choice in metric.choices_of_family()}


def test_the_presets_survive_the_way_through_json() -> None:
    assert json.loads(json.dumps(presets()))["tools"][0]["name"] == next(iter(TOOLS))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The playground alone in a page, without the book around it."""
    folder = tmp_path_factory.mktemp("playground")
    for name in ("playground.js", "playground.css"):
        shutil.copy(ROOT / "chapters" / "_static" / name, folder)
    path = Path(folder, "page.html")
    path.write_text(f'<!doctype html><meta charset="utf-8">{playground_html(static=".")}', encoding="utf-8")
    with chromium() as running:
        opened = running.new_context().new_page()
        opened.goto(path.as_uri())
        yield opened


def _random_query(random: np.random.Generator) -> tuple[list[int], list[float], int | None]:
    """A list with ties, also of float32, without anything relevant, or shorter than the cut-off, as chance has it."""
    n = int(random.choice([1, 2, 3, 5, 9, 10, 11, 40]))
    labels = random.integers(0, int(random.choice([1, 2, 3, 5])), n)
    scores = (
        random.choice([0, 1, 2, 1 + 1e-9, -1e30, 1e39, math.pi], n) if random.random() < 0.5 else random.normal(size=n)
    )
    k = None if random.random() < 0.2 else int(random.choice([1, 2, 3, 5, 10, 100]))
    return labels.tolist(), scores.tolist(), k


def _by_library(labels: list[int], scores: list[float], k: int | None) -> dict[str, dict[str, float | None]]:
    expected: dict[str, dict[str, float | None]] = {}
    for name, tool in TOOLS.items():
        expected[name] = {}
        for family in FAMILIES:
            metric = tool.template(family, k)
            if metric is None:
                continue
            try:
                value = evaluate(metric, labels, scores, [0, len(labels)])[metric].mean
            except UsageError:
                continue
            expected[name]["ap" if family == "map" else family] = None if math.isnan(value) else value
    return expected


_TYPE_AND_READ = """queries => queries.map(([labels, scores, k]) => {
  const set = (id, text) => { const field = document.getElementById("playground-" + id); field.value = text; };
  set("labels", labels.join(" ")); set("scores", scores.join(" ")); set("k", k === null ? "" : String(k));
  document.getElementById("playground-k").dispatchEvent(new Event("input"));
  return Object.fromEntries([...document.querySelectorAll("tr[data-tool]")].map((row) => [row.dataset.tool,
    Object.fromEntries([...row.querySelectorAll("td[data-value]")]
      .map((td) => [td.dataset.metric, Number(td.dataset.value)]))]));
})"""


@needs_browser
@pytest.mark.browser
def test_the_fields_of_the_page_give_the_values_of_the_library(page: Page) -> None:
    random = np.random.default_rng(20261118)
    queries = [_random_query(random) for _ in range(QUERIES)]
    shown: list[dict[str, dict[str, float]]] = page.evaluate(_TYPE_AND_READ, queries)
    compared = 0
    for query, found in zip(queries, shown, strict=True):
        expected = _by_library(*query)
        assert found.keys() == expected.keys()
        for tool, values in expected.items():
            counted = {metric: value for metric, value in values.items() if value is not None}
            assert found[tool].keys() == counted.keys(), (tool, query)
            for metric, value in counted.items():
                assert found[tool][metric] == pytest.approx(value, abs=1e-12), (tool, metric, query)
                compared += 1
    assert compared > 20 * QUERIES


@needs_browser
@pytest.mark.browser
def test_a_link_brings_back_what_its_sender_saw(page: Page) -> None:
    page.fill("#playground-labels", "0 3 1")
    page.fill("#playground-scores", "1 1 0")
    page.fill("#playground-k", "2")
    page.select_option("#playground-a", "sklearn")
    page.select_option("#playground-b", "catboost")
    address, words = page.url, page.inner_text("#playground-difference")
    assert "labels=0,3,1" in address
    other = page.context.new_page()
    other.goto(address)
    assert other.input_value("#playground-scores") == "1 1 0"
    assert other.inner_text("#playground-difference") == words
    other.close()


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize(
    ("field", "text", "complaint"),
    [
        ("labels", "1 x 0", "label 2"),
        ("labels", "1 -1 0", "label 2"),
        ("scores", "1 2", "3 labels, but 2 scores"),
        ("scores", "1 nan 2", "score 2"),
        ("k", "0", "cut-off"),
        ("labels", "", "type the labels"),
    ],
)
def test_bad_input_is_named_and_shows_no_stale_numbers(page: Page, field: str, text: str, complaint: str) -> None:
    for name, good in (("labels", "1 0 2"), ("scores", "3 2 1"), ("k", "10")):
        page.fill(f"#playground-{name}", text if name == field else good)
    assert complaint in page.inner_text("#playground-message")
    assert page.query_selector("tr[data-tool]") is None


@needs_browser
@pytest.mark.browser
def test_a_refused_list_is_no_other_value(page: Page) -> None:
    """Three scripts have no gain for label 5; the others agree, and say so."""
    for name, text in (("labels", "5 0"), ("scores", "2 1"), ("k", "1")):
        page.fill(f"#playground-{name}", text)
    message = page.inner_text("#playground-message")
    assert message.startswith(f"The other {len(TOOLS) - 3} tools agree on this list: 1.0000.")
    assert "MSLR script (its gains end at label 4)" in message
    assert page.inner_text("#playground-difference").startswith("Both")


@needs_browser
@pytest.mark.browser
def test_markup_in_a_link_is_shown_as_text(page: Page) -> None:
    other = page.context.new_page()
    alerts: list[Any] = []

    def note(dialog: Any) -> None:
        alerts.append(dialog)
        dialog.dismiss()

    other.on("dialog", note)
    hostile = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
    other.goto(page.url.split("#")[0] + f"#labels={hostile}&scores={hostile}&k={hostile}&a={hostile}")
    assert "is not a whole number" in other.inner_text("#playground-message")
    assert not alerts
    other.close()


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_shows_why_two_tools_differ(page: Page, name: str) -> None:
    page.click(f'[data-example="{name}"]')
    words = page.inner_text("#playground-difference p")
    assert "gives" in words
    assert page.inner_text("#playground-message").split(",")[1].strip()[0].isdigit()
