"""Protects the chapter on the fronts: points and ranks by brute force, the lists of the text, the claims."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pytest

from ltrlib.claims.registry import claim
from ltrlib.papers.tax2015.counted import front_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.paper.figures import compared_fronts
from ltrlib.papers.tax2015.pareto import doubts, figures, page, tables
from ltrlib.papers.tax2015.pareto.combinations import MOVED, OUT, every_combination
from ltrlib.papers.tax2015.pareto.switches import doubt_switches
from ltrlib.project import ROOT
from ltrlib.published import load_paper
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXPECTED = {
    "figures.fronts-from-results": "exact",
    "section41.one-study": "exact",
    "section41.two-studies": "not comparable",
    "section41.official": "exact",
    "section41.better-evidence": "exact",
    "section42.single-change": "exact",
    "section44.agreement": "exact",
    "section44.low-at-map": "exact",
    "section44.not-top": "exact",
    "section45.ndcg-weight": "exact",
    "section45.lac-mr-or-datasets": "exact",
    "section45.larf-fronts": "exact",
}


@pytest.mark.parametrize("what", tables.FIGURES)
def test_the_fronts_are_those_of_the_two_definitions(what: str) -> None:
    points = tables.points(what)
    rows = list(zip(points["certainty"], points["nwn"], strict=True))
    for method, own, rank, strict_rank in zip(
        points["method"], rows, points["rank"], points["strict_rank"], strict=True
    ):
        usual = any(x >= own[0] and y >= own[1] and (x, y) != own for x, y in rows)
        strict = any(x > own[0] and y > own[1] for x, y in rows)
        assert (rank > 1) == usual, method
        assert (strict_rank > 1) == strict, method


def test_what_the_text_lists_is_set_beside_the_table() -> None:
    table = tables.fronts_as_listed().set_index("figure")
    assert (table.loc["Figure 1", "missing (usual)"], table.loc["Figure 1", "not on it (usual)"]) == ("", "")
    missing = str(table.loc["Figure 5", "missing (usual)"]).split(", ")
    assert missing == ["AdaRank-MAP", "AdaRank-NDCG", "LambdaNeuralRank", "RankBoost"]


def test_every_optimum_is_labelled() -> None:
    points = tables.points("NDCG@10")
    figure, alt = compared_fronts("NDCG@10")
    labels = {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)
    optima = set(points.loc[points["rank"] == 1, "method"])
    assert optima <= labels
    assert all(method in alt for method in optima)


def test_the_menu_shows_one_figure_of_the_paper_at_a_time() -> None:
    figure, _ = figures.explore_fronts("MAP")
    for button in figure.layout.updatemenus[0].buttons:
        what = button.label.partition(": ")[2]
        shown = [
            one for one, on in zip(figure.data, button.args[0]["visible"], strict=True) if on and one.mode == "markers"
        ]
        drawn = sorted(str(row[0]) for one in shown for row in one.customdata)
        assert drawn == sorted(tables.points(what)["method"])
    assert figure.layout.updatemenus[0].buttons[0].label == "Figure 4: MAP"


def test_the_page_draws_just_the_cases_that_change_the_front() -> None:
    for shown, every in (
        (page.fronts_by_belief(), doubts.fronts_under_doubt()),
        (page.fronts_by_study(), doubts.fronts_without_studies()),
    ):
        same = (every == every.loc["nothing"]).all(axis=1)
        assert len(shown) == 1 + int((~same).sum())
        assert (shown.drop(index="nothing").nunique(axis=1) == 2).all()
    assert set(page.NAMES) == set(load_paper("tax2015")["doubts"].rows), "each doubt has a name on the page"


def test_the_doubts_count_neither_for_nor_against_the_abstract() -> None:
    outcome = claim("tax2015.abstract.front-under-doubt").check()
    assert outcome.verdict.word == "not comparable"
    holds = {one.name: one.verdict.word == "exact" for one in outcome.judgements}
    assert [name for name, held in holds.items() if held] == ["ListNet", "SmoothRank", "FenchelRank"]


@pytest.mark.parametrize(("name", "verdict"), EXPECTED.items())
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason


# --- doubts


def on_front(case: str) -> set[str]:
    return {str(method) for method, column in doubts.fronts_under_doubt().items() if column[case]}


def test_without_doubts_the_front_is_that_of_figure_5() -> None:
    points = tables.points("all metrics")
    assert on_front("nothing") == set(points.loc[points["rank"] == 1, "method"])


def test_every_doubt_that_can_change_an_order_is_tried_alone_and_with_the_others() -> None:
    codes = load_paper("tax2015")["doubts"]
    tried = set(doubts.fronts_under_doubt().index)
    for code in codes.rows:
        if codes.text(code, "if_right") != "keep":
            assert f"{code} left out" in tried
        assert (f"{code} moved" in tried) == (codes.text(code, "if_right") == "move")
    assert {doubts.ALL_RIGHT, doubts.ALL_BUT_ONE, doubts.ALL_OUT} < tried
    assert len(doubts.doubt_table()) == len(codes.rows)


def test_larf_leaves_the_front_if_its_data_are_of_letor_2_and_lruf_s_are_not() -> None:
    assert "LARF" in on_front("nothing")
    assert "LARF" not in on_front(f"{doubts.LARF} moved")
    assert "LARF" not in on_front(doubts.ALL_BUT_ONE)
    assert "LARF" in on_front(doubts.ALL_RIGHT)
    assert {place: (one.wn, one.iwn) for place, one in doubts.totals_if_moved().items()} == {
        "as published": (374, 379),
        "moved": (158, 159),
    }


def test_four_methods_are_on_the_front_whatever_is_believed() -> None:
    assert every_combination().always() == ["AdaRank-NDCG", "FenchelRank", "ListNet", "SmoothRank"]


def direct_front(case: dict[str, str]) -> set[str]:
    """The front of the results themselves, some of them moved or left out."""
    moved, out = ([code for code, state in case.items() if state == one] for one in (MOVED, OUT))
    return front_of_results(results(moved=moved, without_doubts=out))


def test_every_combination_of_the_doubts_has_the_front_of_its_results() -> None:
    found = every_combination()
    cases = list(found.cases())
    assert len(cases) == len(found.on_front) == 7776
    assert len({tuple(sorted(case.items())) for case in cases}) == len(cases)
    for number in np.random.default_rng(15).choice(len(cases), 40, replace=False):
        assert set(found.front(cases[number])) == direct_front(cases[number]), cases[number]


def test_combinations_of_one_doubt_are_those_of_the_figure() -> None:
    found = every_combination()
    assert set(found.front({})) == on_front("nothing")
    for code, states in found.states.items():
        for state in states[1:]:
            assert set(found.front({code: state})) == on_front(f"{code} {state}")


@pytest.mark.parametrize("method", ["FSMRank", "LARF", "LambdaNeuralRank", "RankBoost"])
def test_the_smallest_sets_of_doubts_are_enough_and_no_part_of_them_is(method: str) -> None:
    found = every_combination()
    for ways in found.takes_off(method):
        for states in product(*ways.values()):
            case = dict(zip(ways, states, strict=True))
            assert method not in direct_front(case)
            for left in case:
                part = {code: state for code, state in case.items() if code != left}
                assert method in found.front(part)
    assert not found.takes_off("ListNet")


def test_the_switches_hold_the_front_of_every_combination() -> None:
    """Read back as the script does: two digits for each combination."""
    found = every_combination()
    text = re.search(r'id="doubts-data">(.*?)</script>', doubt_switches(), re.DOTALL)
    assert text is not None
    data = json.loads(text.group(1))
    assert len(data["which"]) == 2 * len(found.on_front)
    for number in range(0, len(found.on_front), 97):
        front = data["fronts"][int(data["which"][2 * number : 2 * number + 2], 36)]
        told = {method for method, on in zip(data["methods"], front, strict=True) if on == "1"}
        row = found.on_front[number]
        assert told == {method for method, on in zip(found.methods, row, strict=True) if on}


def test_a_study_left_out_takes_only_results_that_no_other_source_has() -> None:
    table = results()
    expected = front_of_results(table[table["origin"] != "Torkestani (2012b)"])
    studies = doubts.fronts_without_studies()
    assert {method for method in studies.columns if studies.loc["Torkestani (2012b)", method]} == expected
    assert "LRUF" not in expected
    # Both of these have the value, so neither alone takes it away.
    assert (table["origin"] == "Lai et al. (2013a); Lai et al. (2013b)").any()
    authors = doubts.fronts_without_authors()
    lai = table["origin"].map(lambda origin: all(one.startswith("Lai et al.") for one in origin.split("; ")))
    assert {method for method in authors.columns if authors.loc["Lai et al.", method]} == front_of_results(table[~lai])


def test_single_results_are_those_whose_removal_changes_the_front() -> None:
    table, found = results(), doubts.single_results()
    front = front_of_results(table)
    named = set(zip(found["of"], found["dataset"], found["metric"], strict=True))
    for number in range(0, len(table), 75):
        row = table.iloc[number]
        lost = front - front_of_results(table.drop(index=number))
        assert bool(lost) == ((row["method"], row["dataset"], row["metric"]) in named)
    assert found["method"].value_counts().to_dict() == {
        "RankBoost": 53,
        "AdaRank-MAP": 44,
        "AdaRank-NDCG": 38,
        "FenchelRank": 8,
        "FSMRank": 7,
        "LambdaNeuralRank": 3,
    }


def test_only_map_on_td2004_tells_the_collections_apart() -> None:
    for row in doubts.levels().to_dict("records"):
        (low2, high2), (low3, high3) = (
            map(float, row[f"not in doubt, LETOR {number}"].split(" to ")) for number in ("2.0", "3.0")
        )
        apart = low2 > high3 or low3 > high2
        assert apart == (row["data set"] == "TD2004" and row["metric"] == "MAP")
        if apart:
            assert min(float(row[method]) for method in ("GPRank", "IPRank", "LARF")) > high2
            assert high3 < float(row["LRUF"]) < high2, "so a level above all of LETOR 3.0 is no proof"


@needs_browser
def test_each_switch_of_the_page_gives_the_front_of_the_library(tmp_path: Path) -> None:
    page_file = tmp_path / "page.html"
    static = (ROOT / "chapters" / "_static").as_uri()
    page_file.write_text(f'<!doctype html><meta charset="utf-8">{doubt_switches(static=static)}', encoding="utf-8")
    found = every_combination()
    cases = list(found.cases())
    chosen = [cases[number] for number in np.random.default_rng(4).choice(len(cases), 25, replace=False)]
    everything_right = {code: states[-1] for code, states in found.states.items()}
    with chromium() as running:
        opened = running.new_page()
        opened.goto(page_file.as_uri())
        for case in [{}, *({code: states[-1]} for code, states in found.states.items()), *chosen]:
            for code in found.states:
                opened.select_option(f"#doubt-{code}", case.get(code, "as it stands"))
            assert set(shown_on_front(opened)) == set(found.front(case)), case
        opened.click("button[data-all='moved']")
        assert set(shown_on_front(opened)) == set(found.front(everything_right))
        opened.click("button[data-all='as it stands']")
        assert "They are those of Table B.6." in opened.inner_text("#doubts-front")


def shown_on_front(opened: Page) -> list[str]:
    return [text[2:] for text in opened.locator("#doubts-methods li").all_text_contents() if text.startswith("■")]
