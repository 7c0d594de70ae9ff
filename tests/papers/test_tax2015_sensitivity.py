"""Leaving out a metric or a data set: against the definition, brute force, and the facts about Table 4 and Figure 6."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from ltrlib.book.sortable import make_sortable
from ltrlib.claims.registry import claim
from ltrlib.claims.rules import judge
from ltrlib.comparison.pareto import add_pareto_ranks
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015.b6 import METRICS, sums_left
from ltrlib.papers.tax2015.grid import front_grid
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.sensitivity import bagplots, front, page, tables, without_dataset, without_metric
from ltrlib.published import load_paper
from tests.helpers.browser import chromium, needs_browser

# --- one metric left out

PAIRS = {
    "ListNet": ((99, 221), (110, 224), (134, 224), (118, 262)),
    "SmoothRank": ((98, 162), (97, 153), (102, 159), (95, 179)),
    "FenchelRank": ((97, 125), (93, 124), (93, 122), (86, 134)),
    "FSMRank": ((81, 97), (86, 98), (100, 116), (99, 171)),
    "LRUF": ((114, 116), (107, 109), (108, 110), (121, 125)),
    "LARF": ((95, 96), (90, 91), (87, 88), (102, 104)),
}


@pytest.mark.parametrize("method", PAIRS)
def test_the_whole_numbers_of_table_4_are_those_worked_out_by_hand(method: str) -> None:
    paper = load_paper("tax2015")
    for left_out, metric in enumerate(METRICS):
        kept = [pair for i, pair in enumerate(PAIRS[method]) if i != left_out]
        expected = tuple(map(sum, zip(*kept, strict=True)))
        assert without_metric.counts_without(metric)[method][:2] == expected
        assert sums_left(paper, metric, [method], with_table4=True) == {method: [expected]}


@pytest.mark.parametrize("cells", [without_metric.table4_cells, without_metric.table4_cells_from_b6])
def test_all_numbers_of_table_4_follow_and_a_changed_digit_is_seen(cells: Any) -> None:
    paper = load_paper("tax2015")
    words = [judge(cell, own=True).verdict.word for cell in cells(paper)]
    assert words == ["exact"] * 60
    for method, column, text in (("FSMRank", "no_map_nwn", "0.8586"), ("LARF", "no_ndcg3_iwn", "284")):
        changed = paper.with_table(paper["table4"].with_cell(method, column, text))
        words = [judge(cell, own=True).verdict.word for cell in cells(changed)]
        assert words.count("inconsistent") == 1


@pytest.mark.parametrize("left_out", METRICS)
def test_what_is_left_without_a_metric_is_one_of_the_sums_that_table_b6_allows(left_out: str) -> None:
    """Where AdaRank-MAP and others left several possibilities open, the results say which."""
    allowed = sums_left(load_paper("tax2015"), left_out, with_table4=True)
    ours = without_metric.counts_without(left_out)
    assert set(ours) == set(allowed)
    assert all(ours[method][:2] in allowed[method] for method in ours)
    assert len(without_metric.wide_table()) == 87


@pytest.mark.parametrize("left_out", ["nothing", *METRICS])
def test_the_front_without_a_metric_is_that_of_the_results(left_out: str) -> None:
    table = results()
    ranked = add_pareto_ranks(winning_numbers(table[table["metric"] != left_out], iwn="reached"))
    expected = set(ranked.loc[(ranked["metric"] == "all") & (ranked["pareto_rank"] == 1), "method"])
    changes = without_metric.front_changes()
    assert set(changes.index[changes[left_out]]) == expected


def test_the_drop_outs_that_the_paper_reports_are_found() -> None:
    status = without_metric.front_changes()
    assert not status.loc["FSMRank", "MAP"]
    assert not status.loc["FenchelRank", ["NDCG@3", "NDCG@5"]].any()
    assert status.loc[["LARF", "LRUF", "SmoothRank", "ListNet"]].all(axis=None)


# --- one data set left out


def test_239_of_the_240_numbers_of_figure_6_follow() -> None:
    judged = [judge(cell, own=True) for cell in without_dataset.figure6_cells(load_paper("tax2015"))]
    assert len(judged) == 240
    wrong = [one.name for one in judged if one.verdict.word != "exact"]
    assert wrong == tables.figure6_slips()["place"].tolist() == ["LRUF without MSLR-WEB10K, NWN"]


@pytest.mark.parametrize("method", without_dataset.FIGURE6)
def test_all_twenty_points_are_those_of_the_author(method: str) -> None:
    table = load_paper("tax2015").corrected("figure6")
    places = [place for place in table.rows if place.startswith(f"{method} / ")]
    theirs = np.array([(table.number(place, "iwn").value, table.number(place, "nwn").value) for place in places])
    ours = without_dataset.points(method, cases="all")
    assert np.allclose(theirs[np.lexsort(theirs.round(6).T)], ours[np.lexsort(ours.round(6).T)], atol=1e-7, rtol=0)


def test_the_known_drop_of_larf() -> None:
    assert sorted(without_dataset.moves("LARF")["iwn"]) == [225, 264, 269]


def test_most_bags_of_all_cases_are_a_point_by_the_definition_and_not_by_the_program() -> None:
    for method in without_dataset.FIGURE6:
        exact = without_dataset.spread(method, cases="all")
        drawn = np.ptp(without_dataset.as_drawn(method)["bag"], axis=0)
        assert (exact["bag_iwn"] == 0) == (method != "ListNet")
        assert drawn[0] > 100


def test_the_bags_as_drawn_are_the_recorded_output_of_r() -> None:
    golden = json.loads(Path(__file__).parents[1].joinpath("golden", "aplpack.json").read_text())["figure6"]
    assert set(golden) == set(without_dataset.FIGURE6)
    for method, one in golden.items():
        drawn = without_dataset.as_drawn(method)
        assert drawn["center"].tolist() == [one["center"]]
        assert (drawn["bag"].tolist(), drawn["loop"].tolist()) == (one["bag"], one["loop"])


@pytest.mark.parametrize("left_out", ["nothing", "LETOR 4.0 MQ2007", "AOL"])
def test_the_front_is_that_of_the_results_without_the_data_set(left_out: str) -> None:
    table = results()
    ranked = add_pareto_ranks(winning_numbers(table[table["dataset"] != left_out], iwn="reached"))
    expected = set(ranked.loc[(ranked["metric"] == "all") & (ranked["pareto_rank"] == 1), "method"])
    points = front.points_without(left_out)
    assert set(points.loc[points["on_front"], "method"]) == expected
    assert {method for method, column in front.fronts().items() if column[left_out]} == expected


def test_without_mq2007_lruf_has_the_data_sets_of_larf_and_lost_more_often() -> None:
    assert not front.fronts().loc["LETOR 4.0 MQ2007", "LRUF"]
    assert front.fronts().loc["nothing", "LRUF"]
    assert front.front_findings()["steady"] == "SmoothRank, ListNet"


def test_the_summary_decides_between_preprint_and_journal_by_the_variances() -> None:
    assert "60 of 60" in page.summary()[0]
    assert "239 of 240" in page.summary()[0]
    lowest = min(without_dataset.spread(m, cases="all")["nwn_variance"] for m in ("ListNet", "SmoothRank", "FSMRank"))
    assert lowest > 9 * max(without_dataset.spread(m, cases="all")["nwn_variance"] for m in ("LRUF", "LARF"))
    assert page.numbers()["steady"] == "SmoothRank, ListNet"
    assert page.fronts_without_metric().shape == (5, 12)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="'Larf' is not in Table B"):
        without_dataset.moves("Larf")
    with pytest.raises(UsageError, match="ADMM has one data set"):
        without_dataset.points("ADMM")
    with pytest.raises(UsageError, match="unknown cases: 'some'"):
        without_dataset.points("LARF", cases="some")
    with pytest.raises(UsageError, match="no data set 'MQ2007'"):
        front.points_without("MQ2007")


def test_figures_describe_what_they_show() -> None:
    figure, alt = bagplots.bagplot_panels(without_dataset.FIGURE6)
    plt.close(figure)
    assert all(f"{method}: with all data sets" in alt for method in without_dataset.FIGURE6)
    figure, alt = bagplots.bagplot_figure("RankSVM")
    plt.close(figure)
    assert "aplpack" not in alt
    figure, alt = front_grid(front.fronts(), {})
    plt.close(figure)
    assert "ListNet: always." in alt


# --- claims

EXPECTED = {
    "table4.from-b6": "exact",
    "table4.from-results": "exact",
    "figure6.points": "inconsistent",
    "section5.scope": "inconsistent",
    "section51.higher-without-map": "exact",
    "section52.iwn-variance": "inconsistent",
    "section52.nwn-variance": "exact",
    "section52.nwn-variance-others": "exact",
    "section52.bags": "not comparable",
    "section52.variance-to-mean": "inconsistent",
    "section52.unique-points": "inconsistent",
    "section52.fewer-results": "exact",
}


@pytest.mark.parametrize(("name", "verdict"), EXPECTED.items())
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason


# --- the sortable table


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> str:
    shown: list[str] = []
    monkeypatch.setattr("IPython.display.display", lambda html: shown.append(html.data))
    make_sortable("tab-tax2015-x")
    return shown[0]


@needs_browser
def test_a_click_sorts_numbers_downwards_and_names_upwards(script: str, tmp_path: Path) -> None:
    rows = [("b", "0.5 (7)"), ("c", "–"), ("a", "0.25 to 0.3 (12)"), ("d", "1.0 (2)")]
    body = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
    head = "<thead><tr><th>method</th><th>NWN</th></tr></thead>"
    page_file = tmp_path / "page.html"
    page_file.write_text(f'<meta charset="utf-8"><table id="tab-tax2015-x">{head}<tbody>{body}</tbody></table>{script}')
    with chromium() as browser:
        page = browser.new_page()
        page.goto(page_file.as_uri())
        orders = []
        for head_cell in (1, 1, 0, 0):
            page.locator("th").nth(head_cell).click()
            orders.append("".join(page.locator("tbody td:first-child").all_inner_texts()))
    assert orders == ["dbac", "abdc", "abcd", "dcba"]
