"""Protects the page on conventions: claims and orders of methods under every tool's NDCG."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from ltrlib.across.conventions import orders
from ltrlib.across.conventions.page import convention_versions, flip_counts, left_out, rescored_html
from ltrlib.across.conventions.rescoring import (
    ABOUT_TOOLS,
    NO_NDCG,
    Rescored,
    form_of,
    rescore_all,
    with_convention,
    worst_cell,
)
from ltrlib.across.our_runs import tables as our_runs
from ltrlib.across.our_runs.records import QUERIES
from ltrlib.book.scoreboard import scoreboard_html
from ltrlib.claims.cells import Cell, Measured, Order
from ltrlib.claims.claim import Claim
from ltrlib.claims.evidence import RecordedResult
from ltrlib.claims.registry import claims
from ltrlib.claims.show import RESCORED, rescored_anchor
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import UsageError
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.busafekete2012.study import claims as study_claims
from ltrlib.papers.busafekete2012.study.results import per_query
from ltrlib.project import ROOT
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

PROVENANCE = {
    "made": "2026-01-31T12:00:00+00:00", "data": [], "inputs": {}, "work_s": 1.0, "seeds": [], "command": "",
    "code": {"maker": ["ltrlib.compiled"], "fingerprint": "0", "definitions": {}}, "parameters": {}, "machine": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> list[Rescored]:
    return rescore_all(claims())


# --- every claim is covered ---


def test_a_record_that_keeps_other_tools_is_told_by_its_columns() -> None:
    """A new record needs no entry in a list: what it keeps decides."""
    assert form_of(pd.DataFrame({"value": [0.5], "ndcg": [0.5]})) is None
    for columns in (["ranklib@10", "mslr@10"], ["ndcg", "binary:mslr"], ["ndcg:mslr"], ["NDCG@10", "mslr"]):
        assert form_of(pd.DataFrame(columns=columns)) is not None, columns
    assert form_of(pd.DataFrame({"metric": ["ERR", "NDCG:mslr"]})) is not None
    assert form_of(pd.DataFrame({"metric": ["ERR", "NDCG"]})) is None


def test_every_claim_on_a_record_is_asked_or_has_a_reason(asked: list[Rescored]) -> None:
    assert {one.claim.id for one in asked} == {c.id for c in claims() if isinstance(c.material, RecordedResult)}
    for one in asked:
        assert bool(one.under) == (one.reason is None), one.claim.id
    assert {one.claim.paper for one in asked if one.under} >= {"busafekete2012", "chapelle2011", "koppel2019"}


def test_claims_of_the_study_that_one_tool_judges_can_be_judged_by_another(asked: list[Rescored]) -> None:
    """The others are about the tools themselves, and name those that they look at."""
    study = [one for one in asked if one.claim.material == study_claims._QUERIES]
    judged = {one.claim.id.removeprefix("busafekete2012.") for one in study if one.reason is None}
    assert judged == {
        "figure1.letor-training",
        "figure1.ranknet-unaffected",
        "figure1.yahoo-slightly-better",
        "figure1.yahoo-best",
        "figure2.three-close",
        "figure2.rankboost-short",
        "figure2.adarank-behind",
    }
    assert {one.reason for one in study if one.reason is not None} == {ABOUT_TOOLS}


def test_a_claim_on_map_does_not_rest_on_an_ndcg(asked: list[Rescored]) -> None:
    reasons = {one.claim.id: one.reason for one in asked}
    assert reasons["koppel2019.table1.mq2008-map"] == NO_NDCG
    assert reasons["koppel2019.table1.mq2008-ndcg"] is None


# --- what the claims then say ---


def test_under_its_own_convention_a_claim_says_what_the_scoreboard_says(asked: list[Rescored]) -> None:
    own = [one for one in asked if one.reason is None and one.judge in conventions()]
    assert {one.claim.paper for one in own} == {"busafekete2012", "chapelle2011"}
    for one in own:
        found = one.under[one.judge]
        assert found.verdict is one.own.verdict, one.claim.id
        assert [cell.verdict for cell in found.judgements] == [cell.verdict for cell in one.own.judgements]
        numbers = ([cell.difference for cell in side.judgements] for side in (found, one.own))
        assert next(numbers) == pytest.approx(next(numbers))


def test_the_es_rank_rows_were_scored_by_ranklib(asked: list[Rescored]) -> None:
    """Köppel's graded protocol is RankLib's, so nothing may change there."""
    (one,) = (one for one in asked if one.claim.id == "koppel2019.table1.mq2008-other-paper")
    ours, own = one.under["ranklib"].judgements, one.own.judgements
    # The record holds RankLib's NDCG by itself, and as the protocol's; the two sums differ in the last bit.
    assert [(cell.name, cell.verdict, cell.reason, cell.ours) for cell in ours] == [
        (cell.name, cell.verdict, cell.reason, cell.ours) for cell in own
    ]
    assert [cell.value for cell in ours] == pytest.approx([cell.value for cell in own], abs=1e-12)


def toy_claim() -> Claim:
    """A is better than B, judged by RankLib."""

    def compare(paper: Paper, record: Record) -> Cell:
        values = {name: per_query(record.table, name, "ranklib") for name in "AB"}
        ours = {name: Measured.over(one.dropna().tolist()) for name, one in values.items()}
        return Order([["A"], ["B"]], ours)

    material = RecordedResult("busafekete2012/toy-queries", {})
    return Claim("busafekete2012.toy.order", "", "", compare, material, module=study_claims.__name__)


def toy_record(**columns: list[float]) -> Record:
    """Two learners, four queries each: A's values first."""
    names, queries = [*"AAAABBBB"], [*"wxyz"] * 2
    table = pd.DataFrame({"learner": names, "trained_under": "ranklib", "seed": 1, "query": queries})
    return Record("busafekete2012/toy-queries", table.assign(**columns), PROVENANCE)


def test_an_order_that_another_convention_turns_flips_the_verdict() -> None:
    high, low = [0.8, 0.9, 0.8, 0.9], [0.2, 0.3, 0.3, 0.2]
    record = toy_record(**{"ranklib@10": high + low, "mslr@10": low + high})
    same, turned = (with_convention(toy_claim(), record, name) for name in ("ranklib", "mslr"))
    assert same is not None
    assert turned is not None
    assert same.verdict is Verdict.SAME_CONCLUSION
    assert turned.verdict is Verdict.NOT_REPRODUCED
    one = Rescored(toy_claim(), same, "ranklib", {"ranklib": same, "mslr": turned}, None)
    assert one.flips == ("mslr",)
    assert one.cells_flipped("mslr") == 1
    assert 'class="flipped"' in rescored_html([one])
    counts = flip_counts([one]).set_index("tools")
    assert counts.loc["MSLR script", "other verdict"] == 1
    assert counts["other verdict"].sum() == 1


def test_queries_that_a_tool_leaves_out_do_not_count_and_without_any_the_claim_is_not_asked() -> None:
    nan = float("nan")
    some = [nan, 0.1, nan, nan, nan, 0.9, nan, nan]
    record = toy_record(**{"ranklib@10": [0.8] * 4 + [0.2] * 4, "mslr@10": [nan] * 8, "sklearn@10": some})
    assert with_convention(toy_claim(), record, "mslr") is None
    assert with_convention(toy_claim(), record, "yahoo") is None, "not recorded"
    form = form_of(record.table)
    assert form is not None
    kept = form.under(record.table, "sklearn")
    assert kept is not None
    assert kept[["query", "ranklib@10"]].values.tolist() == [["x", 0.1], ["x", 0.9]]
    assert "sklearn@10" not in kept, "no claim may look at two tools"


def test_rows_of_a_tool_take_the_place_of_the_judging_metric() -> None:
    rows = [
        ("linear", "NDCG", 0.5),
        ("linear", "ERR", 0.1),
        ("linear", "NDCG:mslr", 0.7),
        ("linear", "NDCG:yahoo", 0.5),
    ]
    table = pd.DataFrame(rows, columns=["functions", "metric", "mean"])
    form = form_of(table)
    assert form is not None
    judged = form.under(table, "mslr")
    assert judged is not None
    assert sorted(judged[["metric", "mean"]].values.tolist()) == [["ERR", 0.1], ["NDCG", 0.7]]
    assert form.under(table, "letor3") is None


def test_binary_and_graded_values_take_their_own_places() -> None:
    table = pd.DataFrame({"ndcg": [0.1], "ndcg_all": [0.2], "map": [0.3], "binary:mslr": [0.4], "graded:mslr": [0.5]})
    form = form_of(table)
    assert form is not None
    judged = form.under(table, "mslr")
    assert judged is not None
    assert judged.to_dict("records") == [{"ndcg": 0.4, "ndcg_all": 0.5, "map": 0.3}]
    assert form.under(table.assign(**{"graded:mslr": np.nan}), "mslr") is None


def test_the_worst_cell_is_judged_whatever_the_data_allow_to_conclude(asked: list[Rescored]) -> None:
    for one in asked:
        if one.own.judgements:
            assert worst_cell(one.own) in {cell.verdict for cell in one.own.judgements}
    (one,) = (one for one in asked if one.claim.id == "koppel2019.table1.mq2008-ndcg")
    assert worst_cell(one.own) is one.own.verdict, "the paper's own data and protocol"


# --- orders of methods ---


@pytest.fixture(scope="module")
def queries() -> pd.DataFrame:
    return our_runs.select(QUERIES.read().table, standins=False)


def test_flips_are_pairs_whose_means_change_sides(queries: pd.DataFrame) -> None:
    table = orders.values(queries)
    means = {(row["dataset"], row["method"]): row for row in table.to_dict("records")}
    found = orders.flips(queries, "letor3")
    assert set(found["dataset"]) <= {"mq2008", "ohsumed"}, "the script has no gains for higher labels"
    for row in found.itertuples():
        better, worse = (means[str(row.dataset), str(name)] for name in (row.better, row.worse))
        assert better["ranklib"] > worse["ranklib"]
        assert better["letor3"] < worse["letor3"]


def test_an_additive_convention_flips_nothing_on_a_data_set(queries: pd.DataFrame) -> None:
    """Yahoo's 1 for empty queries adds the same to every method."""
    assert len(orders.flips(queries, "yahoo")) == 0


def test_the_verdict_on_a_published_value_depends_on_the_convention(queries: pd.DataFrame) -> None:
    table = orders.verdicts(queries).set_index(["dataset", "method"])
    for method in ("RankSVM", "RankBoost", "ListNet"):
        assert table.loc[("ohsumed", method), "letor3"] in ("exact", "within noise"), method
    words = table[list(conventions())].stack()
    assert set(words) > {"within noise"}, "some tool's NDCG contradicts what another one bears out"


def test_an_unknown_convention_is_answered_with_the_known_ones(queries: pd.DataFrame) -> None:
    with pytest.raises(UsageError) as caught:
        orders.flips(queries, "letor5")
    assert "letor3" in (caught.value.cure or "")


def toy_queries() -> pd.DataFrame:
    """Two methods on two data sets; mslr turns their order on the first, letor3 has no gains on the second."""
    table = pd.DataFrame({"dataset": list("ddee"), "method": list("ABAB"), "query": "x", "fold": 1})
    table = table.assign(**dict.fromkeys(conventions(), pd.Series([0.8, 0.2, 0.8, 0.2])))
    return table.assign(mslr=[0.1, 0.9, 0.8, 0.2], letor3=[0.8, 0.2, np.nan, np.nan])


def test_the_switch_marks_what_moves_in_every_recorded_ranking() -> None:
    versions = convention_versions(toy_queries(), {"Elsewhere": toy_queries()}, base="ranklib")
    shown = {title: page[page.index("Elsewhere") :] for title, page in versions.items()}
    assert "0.9000, rank 1 (↑ from 2)" in shown["MSLR script"]
    assert "0.1000, rank 2 (↓ from 1)" in shown["MSLR script"]
    assert all("from" not in page for title, page in shown.items() if title != "MSLR script")


def test_a_base_without_gains_for_some_labels_marks_no_move_there() -> None:
    versions = convention_versions(toy_queries(), {"Elsewhere": toy_queries()}, base="letor3")
    assert not any("nan" in page for page in versions.values())
    base, *others = versions
    assert base == "LETOR 3, LETOR 4, the base of the comparison"
    assert others == [orders.named(name) for name in conventions() if name != "letor3"], "in the usual order"


def test_one_fold_is_no_measure_of_noise() -> None:
    """A pair that flips on a single value per method is never beyond noise."""
    found = orders.flips(toy_queries(), "mslr")
    assert found[["dataset", "better", "worse", "beyond noise"]].values.tolist() == [["d", "A", "B", False]]


# --- the pages ---


def test_every_link_of_the_scoreboard_to_the_other_conventions_has_its_row(asked: list[Rescored]) -> None:
    rescored = [one for one in asked if one.reason is None]
    board = scoreboard_html([one.own for one in asked], rescored=asked)
    wanted = re.findall(rf'href="{RESCORED}\.html#([^"]+)"', board)
    assert sorted(wanted) == sorted(rescored_anchor(one.claim.id) for one in rescored)
    rows = rescored_html(rescored)
    assert all(f'id="{anchor}"' in rows for anchor in wanted)
    assert (ROOT / "chapters" / f"{RESCORED}.md").exists()


def test_left_out_claims_are_counted_with_their_reasons(asked: list[Rescored]) -> None:
    assert left_out(asked)["claims"].sum() == sum(one.reason is not None for one in asked)


def test_the_switch_is_on_the_page_for_every_convention() -> None:
    page = ROOT / "_build" / "html" / "chapters" / "61-another-convention.html"
    if not page.exists():
        pytest.skip("the book is not built: run make book first")
    assert len(re.findall(r'<section data-title="', page.read_text())) == len(conventions())
