"""Leaving out a metric or a data set: against the definition, brute force, and the facts about Table 4."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.book.sortable import make_sortable
from ltrlib.claims.cells import Statement
from ltrlib.claims.registry import claim
from ltrlib.claims.rules import judge
from ltrlib.comparison.pareto import add_pareto_ranks
from ltrlib.comparison.reconstruct.whole_numbers import Pair
from ltrlib.comparison.winning import leave_one_dataset_out, winning_numbers
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS, sums_left
from ltrlib.papers.tax2015.sensitivity import front, runs, tables, without_metric
from ltrlib.papers.tax2015.sensitivity.without_dataset import FIGURE6, points_left, sample_bagplots
from ltrlib.published import load_paper
from ltrlib.records.record import Record
from ltrlib.records.working import make

CHROMIUM = shutil.which("chromium")

# --- one metric left out

# Wins and comparisons per metric (NDCG@3, NDCG@5, NDCG@10, MAP), worked out by hand from the printed rows.
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
        assert sums_left(paper, metric, [method], with_table4=True) == {method: [expected]}
        assert expected in sums_left(paper, metric, [method])[method]


def test_all_numbers_of_table_4_follow_and_a_changed_digit_is_seen() -> None:
    paper = load_paper("tax2015")
    assert {judge(cell, own=True).verdict.word for cell in without_metric.table4_cells(paper)} == {"exact"}
    for method, column, text in (("FSMRank", "no_map_nwn", "0.8586"), ("LARF", "no_ndcg3_iwn", "284")):
        changed = paper.with_table(paper["table4"].with_cell(method, column, text))
        words = [judge(cell, own=True).verdict.word for cell in without_metric.table4_cells(changed)]
        assert words.count("inconsistent") == 1


def dominates(one: Pair, other: Pair) -> bool:
    better = one[0] / one[1], one[1]
    worse = other[0] / other[1], other[1]
    return better != worse and better[0] >= worse[0] and better[1] >= worse[1]


PAIR = st.integers(1, 4).flatmap(lambda iwn: st.tuples(st.integers(0, iwn), st.just(iwn)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(PAIR, min_size=1, max_size=3, unique=True), min_size=1, max_size=4))
def test_a_front_with_open_rows_is_that_of_all_their_combinations(rows: list[list[Pair]]) -> None:
    sums = {f"m{i}": row for i, row in enumerate(rows)}
    seen: dict[str, set[bool]] = {name: set() for name in sums}
    for choice in product(*sums.values()):
        for name, own in zip(sums, choice, strict=True):
            seen[name].add(not any(dominates(other, own) for other in choice))
    words = {name: "perhaps" if len(s) == 2 else "yes" if True in s else "no" for name, s in seen.items()}
    assert without_metric.front_of_sums(sums) == words


def test_the_drop_outs_that_the_paper_reports_are_found() -> None:
    status = without_metric.front_changes().set_index(["method", "left_out"])["status"]
    assert status["FSMRank", "MAP"] == "no"
    assert status["FenchelRank", "NDCG@3"] == status["FenchelRank", "NDCG@5"] == "no"
    for method in ("LARF", "LRUF", "SmoothRank", "ListNet"):
        assert set(status[method]) == {"yes"}


# --- one data set left out


@pytest.fixture(scope="module")
def orders() -> pd.DataFrame:
    return records.ORDERS.read().table


@pytest.fixture(scope="module")
def results(orders: pd.DataFrame) -> pd.DataFrame:
    """The first sample as a table of results: wins are in the order of the values."""
    return orders[orders["sample"] == 0].assign(value=lambda rows: rows["wins"] / 100)


def test_points_are_those_of_the_method_as_defined(orders: pd.DataFrame, results: pd.DataFrame) -> None:
    ours = points_left(orders[orders["sample"] == 0]).set_index(["method", "dataset"]).sort_index()
    defined = leave_one_dataset_out(results).rename(columns={"left_out": "dataset"})
    defined = defined.set_index(["method", "dataset"]).sort_index()
    pd.testing.assert_frame_equal(ours[["wn", "iwn", "nwn"]], defined[["wn", "iwn", "nwn"]], check_dtype=False)


def test_the_known_drop_of_larf() -> None:
    assert sorted(tables.moves("LARF")["iwn"]) == [225, 264, 269]


def test_cases_without_a_result_leave_the_point_where_it_is(orders: pd.DataFrame) -> None:
    few = orders[orders["sample"] < 2]
    for plot in sample_bagplots(few, "LRUF", cases="all"):
        assert len(plot.points) == 20
        unchanged = (plot.points == [460, 450 / 460]).all(axis=1)
        assert unchanged.sum() == 16
        # Sixteen of twenty: even the deepest place holds more than half, so that the bag is that place.
        assert plot.bag.tolist() == [[460, 450 / 460]]


def test_the_record_is_what_the_run_makes_of_the_recorded_orders(tmp_path: Path) -> None:
    recorded, first = records.LEFT_OUT.read().table, runs.LEFT_OUT.pieces()[:1]
    summary = make([replace(runs.LEFT_OUT, pieces=lambda: first)], folder=tmp_path / "pieces", to=tmp_path)
    assert not summary.failed
    pd.testing.assert_frame_equal(records.LEFT_OUT.read(folder=tmp_path).table, recorded.iloc[:200])
    assert set(recorded["method"]) == set(FIGURE6)
    assert (recorded.groupby(["cases", "method"]).size() == 200).all()


def test_the_iwn_variances_do_not_vary_over_the_samples() -> None:
    """They follow from the presence, which all samples share."""
    record = records.LEFT_OUT.read().table
    assert (record.groupby(["cases", "method"])["iwn_variance"].nunique() == 1).all()


def test_the_freedom_of_the_presence_holds_what_was_rebuilt() -> None:
    freedom = tables.presence_freedom()
    record = records.LEFT_OUT.read().table.query("sample == 0")
    both = freedom.merge(record, on=["method", "cases"], validate="one_to_one")
    assert (both["lowest"] <= both["iwn_variance"] + 1e-6).all()
    assert (both["iwn_variance"] <= both["highest"] + 1e-6).all()
    assert set(freedom.loc[freedom["choices"] == 1, "method"]) == {"LARF", "LRUF", "SmoothRank", "ListNet"}


def test_larf_has_only_one_choice_of_data_sets_at_ndcg10(orders: pd.DataFrame) -> None:
    """Three data sets and 88 comparisons: tried over all triples."""
    first = orders[(orders["sample"] == 0) & (orders["metric"] == "NDCG@10")]
    sizes = (first["dataset"].value_counts() - 1).to_dict()
    fitting = [three for three in combinations(sizes, 3) if sum(sizes[name] for name in three) == 88]
    assert [set(three) for three in fitting] == [{"LETOR 3.0 OHSUMED", "LETOR 3.0 TD2003", "LETOR 3.0 TD2004"}]


@pytest.mark.parametrize("left_out", ["nothing", "LETOR 4.0 MQ2007", "AOL"])
def test_the_front_is_that_of_the_results_without_the_data_set(results: pd.DataFrame, left_out: str) -> None:
    ranked = add_pareto_ranks(winning_numbers(results[results["dataset"] != left_out]))
    expected = set(ranked.loc[(ranked["metric"] == "all") & (ranked["pareto_rank"] == 1), "method"])
    found = front.fronts_without(left_out)
    assert {name for name, on in zip(found.methods, found.on_front[0], strict=True) if on} == expected


def test_shares_count_samples() -> None:
    shares = front.front_shares()
    assert shares["share"].between(0, 1).all()
    assert np.allclose(shares["share"] * 200, (shares["share"] * 200).round())
    found = shares.set_index(["method", "left_out"])["share"]
    # Without MQ2007 LRUF has the data sets of LARF, and lost twice as often.
    assert found["LRUF", "LETOR 4.0 MQ2007"] == 0
    assert found["LRUF", "nothing"] == 1
    assert "AdaRank-MAP" not in shares["method"].to_numpy()


def test_a_presence_of_its_own_per_sample_is_counted_by_sample(
    monkeypatch: pytest.MonkeyPatch, orders: pd.DataFrame, results: pd.DataFrame
) -> None:
    """LARF's result on TD2003 goes to VFLR in the second sample: comparisons then differ between the samples."""
    second = results[["metric", "dataset", "method", "wins"]].assign(sample=1)
    moved = (second["method"] == "LARF") & (second["dataset"] == "LETOR 3.0 TD2003") & (second["metric"] == "MAP")
    second.loc[moved, "method"] = "VFLR"
    both = pd.concat([orders[orders["sample"] == 0], second], ignore_index=True)
    monkeypatch.setattr(front, "orders", lambda record: both)
    front._won_and_possible.cache_clear()
    found = front.fronts_without("nothing")
    larf = found.methods.index("LARF")
    assert found.iwn[:, larf].tolist() == [379, 379 - 32]
    front._won_and_possible.cache_clear()


def test_unknown_names_are_refused(orders: pd.DataFrame) -> None:
    few = orders[orders["sample"] == 0]
    with pytest.raises(UsageError, match="'Larf' is not in the reconstruction"):
        sample_bagplots(few, "Larf")
    with pytest.raises(UsageError, match="ADMM has one data set"):
        sample_bagplots(few, "ADMM")
    with pytest.raises(UsageError, match="unknown cases: 'some'"):
        sample_bagplots(few, "LARF", cases="some")
    with pytest.raises(UsageError, match="no sampled orders are called 'order'"):
        tables.orders("order")
    with pytest.raises(UsageError, match="no data set 'MQ2007'"):
        front.points_without("MQ2007")


# --- claims on the record: a changed result changes the verdict

EXPECTED = {
    "table4.from-b6": "exact",
    "section5.scope": "inconsistent",
    "section51.higher-without-map": "exact",
    "section52.iwn-variance": "not reproduced",
    "section52.nwn-variance": "same conclusion",
    "section52.nwn-variance-others": "same conclusion",
    "section52.bag-iwn": "not reproduced",
    "section52.bag-nwn": "not reproduced",
    "section52.variance-to-mean": "within noise",
    "section52.unique-points": "same conclusion",
    "section52.fewer-results": "exact",
}


@pytest.mark.parametrize(("name", "verdict"), EXPECTED.items())
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason


# What of the record each claim hangs on, and for which method it is changed by which factor.
RECORD_CLAIMS = {
    "iwn-variance": ("iwn_variance", ["LRUF", "LARF"], 0.01),
    "nwn-variance": ("nwn_variance", ["LRUF"], 100.0),
    "nwn-variance-others": ("nwn_variance", ["ListNet"], 0.02),
    "bag-iwn": ("bag_iwn", ["SmoothRank", "ListNet"], 0.5),
    "bag-nwn": ("bag_nwn", ["LRUF"], 100.0),
    "variance-to-mean": ("nwn_variance", ["LARF"], 1000.0),
    "unique-points": ("distinct", ["LARF"], 2.0),
}


@pytest.mark.parametrize(("name", "change"), RECORD_CLAIMS.items())
def test_another_record_changes_the_verdict(name: str, change: tuple[str, list[str], float]) -> None:
    quantity, methods, factor = change
    one = claim(f"tax2015.section52.{name}")
    record = records.LEFT_OUT.read()
    table = record.table.copy()
    rows = table["method"].isin(methods)
    table.loc[rows, quantity] = (table.loc[rows, quantity] * factor).astype(table[quantity].dtype)

    def words(given: Record) -> list[str]:
        cells = one.compare(load_paper("tax2015"), given)
        assert isinstance(cells, list)
        return [judge(cell).verdict.word for cell in cells]

    assert words(record) != words(replace(record, table=table))


def test_witnesses_count_the_samples_in_which_a_statement_holds() -> None:
    cells = claim("tax2015.section52.nwn-variance").compare(load_paper("tax2015"), records.LEFT_OUT.read())
    table = records.LEFT_OUT.read().table.query("cases == 'evaluated'")
    wide = table.pivot(index="sample", columns="method", values="nwn_variance")
    often = (2 * wide["LRUF"] < wide[["FSMRank", "FenchelRank", "SmoothRank", "ListNet"]].min(axis=1)).sum()
    assert isinstance(cells, list)
    assert isinstance(cells[0], Statement)
    assert f"in {often} of 200 samples" in cells[0].witness


# --- the sortable table


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> str:
    shown: list[str] = []
    monkeypatch.setattr("IPython.display.display", lambda html: shown.append(html.data))
    make_sortable("tab-tax2015-x")
    return shown[0]


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)")
def test_a_click_sorts_numbers_downwards_and_names_upwards(script: str, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    rows = [("b", "0.5 (7)"), ("c", "–"), ("a", "0.25 to 0.3 (12)"), ("d", "1.0 (2)")]
    body = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
    head = "<thead><tr><th>method</th><th>NWN</th></tr></thead>"
    page_file = tmp_path / "page.html"
    page_file.write_text(f'<meta charset="utf-8"><table id="tab-tax2015-x">{head}<tbody>{body}</tbody></table>{script}')
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.goto(page_file.as_uri())
        orders = []
        for head_cell in (1, 1, 0, 0):
            page.locator("th").nth(head_cell).click()
            orders.append("".join(page.locator("tbody td:first-child").all_inner_texts()))
        browser.close()
    assert orders == ["dbac", "abdc", "abcd", "dcba"]
