"""Claims under another tool's NDCG: the scoreboard's verdict under their own, and flips where an order turns."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ltrlib.across.conventions.claims import (
    ABOUT_TOOLS,
    NO_NDCG,
    NOT_SCORED,
    Kind,
    Rescored,
    kind_of,
    rescore_all,
    with_convention,
)
from ltrlib.across.conventions.tables import flip_counts, left_out, rescored_html
from ltrlib.claims.show import RESCORED, rescored_anchor
from ltrlib.book.scoreboard import scoreboard_html
from ltrlib.claims.cells import Cell, Measured, Order
from ltrlib.claims.claim import Claim
from ltrlib.claims.evidence import RecordedResult
from ltrlib.claims.registry import claim, claims
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import ClaimError
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.busafekete2012.study import claims as study_claims
from ltrlib.papers.busafekete2012.study.results import per_query
from ltrlib.project import ROOT
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

STORY = {
    "made": "2026-01-31T12:00:00+00:00", "data": [], "wall_time_s": 1.0, "seeds": [], "command": "",
    "code": {"modules": ["ltrlib.errors"], "fingerprint": "0"}, "parameters": {}, "machine": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> list[Rescored]:
    return rescore_all(claims())


# --- every claim is covered ---


def test_every_record_of_a_claim_is_known() -> None:
    """A new claim on a new record must say how it is scored by another NDCG, or why it cannot be."""
    for one in claims():
        assert (kind_of(one) is None) == (not isinstance(one.material, RecordedResult)), one.id
    stranger = replace(claim("koppel2019.table2.fastest-runs"), material=RecordedResult("new/record", {}))
    with pytest.raises(ClaimError, match="no rule of re-scoring"):
        kind_of(stranger)


def test_every_claim_on_a_scored_record_is_asked_or_exempt_by_a_rule(asked: list[Rescored]) -> None:
    for one in asked:
        if isinstance(kind_of(one.claim), Kind) and one.own.missing is None:
            # On a stand-in no verdict is given, so its record may wait for the next time that it is made.
            waits = one.own.standin and one.reason == NOT_SCORED
            assert waits or one.reason in (None, ABOUT_TOOLS, NO_NDCG), one.claim.id
            assert bool(one.under) == (one.reason is None)


def test_claims_about_tools_are_those_that_the_study_does_not_leave_to_one_judge(asked: list[Rescored]) -> None:
    """The rule finds what the study declares: claims that one tool judges can be judged by another."""
    study = [one for one in asked if one.claim.material == study_claims._QUERIES]
    judged = {one.claim.id for one in study if one.reason is None}
    assert judged == {f"busafekete2012.{name}" for name in study_claims.JUDGED}
    assert {one.reason for one in study if one.claim.id not in judged} == {ABOUT_TOOLS}


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
    assert one.under["ranklib"].judgements == one.own.judgements


def toy_claim() -> Claim:
    """A is better than B, judged by RankLib."""

    def compare(paper: Paper, record: Record) -> Cell:
        values = {name: per_query(record.table, name, "ranklib") for name in "AB"}
        ours = {name: Measured.over(one.dropna().tolist()) for name, one in values.items()}
        return Order([["A"], ["B"]], ours)

    return Claim("busafekete2012.toy.order", "", "", compare, RecordedResult("busafekete2012/toy-queries", {}))


def toy_record(**columns: list[float]) -> Record:
    """Two learners, two queries each: A's values first."""
    table = pd.DataFrame({"learner": list("AABB"), "trained_under": "ranklib", "seed": 1, "query": list("xyxy")})
    return Record("busafekete2012/toy-queries", table.assign(**columns), STORY)


def test_an_order_that_another_convention_turns_flips_the_verdict() -> None:
    record = toy_record(**{"ranklib@10": [0.8, 0.9, 0.2, 0.3], "mslr@10": [0.2, 0.2, 0.9, 0.9]})
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
    assert counts.loc["mslr", "other verdict"] == 1
    assert counts["other verdict"].sum() == 1


def test_queries_that_a_tool_leaves_out_do_not_count_and_without_any_the_claim_is_not_asked() -> None:
    nan = float("nan")
    record = toy_record(
        **{"ranklib@10": [0.8, 0.9, 0.2, 0.3], "mslr@10": [nan] * 4, "sklearn@10": [nan, 0.1, nan, 0.9]}
    )
    assert with_convention(toy_claim(), record, "mslr") is None
    assert with_convention(toy_claim(), record, "yahoo") is None, "not recorded"
    kind = kind_of(toy_claim())
    assert isinstance(kind, Kind)
    kept = kind.under(record.table, "sklearn")
    assert kept is not None
    assert kept[["query", "ranklib@10"]].values.tolist() == [["y", 0.1], ["y", 0.9]]
    assert "sklearn@10" not in kept, "no claim may look at two tools"


def test_rows_of_a_tool_take_the_place_of_the_judging_metric() -> None:
    rows = [
        ("linear", "NDCG", 0.5),
        ("linear", "ERR", 0.1),
        ("linear", "NDCG:mslr", 0.7),
        ("linear", "NDCG:yahoo", 0.5),
    ]
    table = pd.DataFrame(rows, columns=["functions", "metric", "mean"])
    kind = kind_of(claim("chapelle2011.section6.loss-matters-mq2008"))
    assert isinstance(kind, Kind)
    judged = kind.under(table, "mslr")
    assert judged is not None
    assert sorted(judged[["metric", "mean"]].values.tolist()) == [["ERR", 0.1], ["NDCG", 0.7]]
    assert kind.under(table, "letor3") is None


def test_binary_and_graded_values_take_their_own_places() -> None:
    table = pd.DataFrame({"ndcg": [0.1], "ndcg_all": [0.2], "map": [0.3], "binary:mslr": [0.4], "graded:mslr": [0.5]})
    kind = kind_of(claim("koppel2019.table1.mq2008-ndcg"))
    assert isinstance(kind, Kind)
    judged = kind.under(table, "mslr")
    assert judged is not None
    assert judged.to_dict("records") == [{"ndcg": 0.4, "ndcg_all": 0.5, "map": 0.3}]
    assert kind.under(table.assign(**{"graded:mslr": np.nan}), "mslr") is None


# --- the pages ---


def test_every_link_of_the_scoreboard_to_the_other_conventions_has_its_row(asked: list[Rescored]) -> None:
    rescored = [one for one in asked if one.reason is None]
    board = scoreboard_html([one.own for one in asked], rescored=asked)
    wanted = re.findall(rf'href="{RESCORED}\.html#([^"]+)"', board)
    assert wanted == [rescored_anchor(one.claim.id) for one in rescored]
    rows = rescored_html(rescored)
    assert all(f'id="{anchor}"' in rows for anchor in wanted)
    assert (ROOT / "chapters" / f"{RESCORED}.md").exists()


def test_left_out_claims_are_counted_with_their_reasons(asked: list[Rescored]) -> None:
    assert left_out(asked)["claims"].sum() == sum(one.reason is not None for one in asked)
