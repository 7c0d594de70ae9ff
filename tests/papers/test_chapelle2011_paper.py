"""Protects the page on the whole paper: its three sentences, and its tables in the paper's layout."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ltrlib.book.paper_table import paper_table_html
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claims
from ltrlib.datasets.container import RankingData, Source
from ltrlib.datasets.loading import load
from ltrlib.papers.chapelle2011.paper import page
from ltrlib.papers.chapelle2011.paper.counted import binary_features, fitting, label_range, reads_as_written
from ltrlib.papers.chapelle2011.paper.difficulty import concordance, pool_size
from ltrlib.papers.chapelle2011.paper.figures import label_shares
from ltrlib.papers.chapelle2011.paper.runs import difficulty
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_paper


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [claim.check() for claim in claims("chapelle2011", "paper")]


def test_the_answer_names_the_swap_with_its_numbers(outcomes: list[Outcome]) -> None:
    first, second, _ = page.summary(outcomes)
    assert "0.46861, is 1.4% above that of plain regression trees (0.46201)" in first
    assert "3.88% “excellent” documents; the files of Set 1 have 7.67%" in second
    assert "None of the five shares under SET 1 can be true of Set 1, all under SET 2 can" in second


def test_the_answer_follows_the_printed_table() -> None:
    paper = load_paper("chapelle2011")
    table = paper["table3"]
    exchanged = table
    for label in table.rows:
        exchanged = exchanged.with_cell(label, "set1", table.text(label, "set2"))
        exchanged = exchanged.with_cell(label, "set2", table.text(label, "set1"))
    right = paper.with_table(exchanged)
    assert (len(fitting(right, "set1")), len(fitting(right, "set2"))) == (5, 0)


def test_a_share_allows_for_the_file_that_nobody_counted() -> None:
    # CatBoost's counts: 8,941 + 3,091 perfect documents of 638,794; 71,083 documents are uncounted.
    share = label_range(load_paper("chapelle2011"), "4")
    assert share.value == pytest.approx((8941 + 3091) / 638794, abs=2e-5)
    assert share.high - share.low == pytest.approx(71083 / 709877)


@pytest.mark.parametrize("layout", [page.TABLE1, page.TABLE2, page.table3(), page.TABLE6, *page.table8()])
def test_ours_stands_in_the_cells_of_the_papers_own_tables(layout: TableLayout, outcomes: list[Outcome]) -> None:
    assert 'class="judged ' in paper_table_html(layout, outcomes)


def test_every_check_of_a_layout_is_a_claim() -> None:
    known = {claim.id for claim in claims("chapelle2011")}
    named = {name for layout in (page.TABLE6, page.table3(), *page.table8()) for name, _ in layout.checks.values()}
    assert named <= known


def test_every_figure_of_the_paper_is_accounted_for(outcomes: list[Outcome]) -> None:
    listed = page.figure_list(outcomes)
    assert sorted(re.findall(r"\d", " ".join(listed["figure"]))) == list("123456789")
    assert all(listed["ours"])


def test_the_figure_shows_what_is_printed() -> None:
    shares = label_shares().set_index("grade")
    assert (shares.at["Fair", "set1"], shares.at["Fair", "set2"]) == (0.5022, 0.3580)
    assert (shares["low"] <= shares["counted"]).all()
    assert (shares["counted"] <= shares["high"]).all()


# --- what stands in sentences and captions ---


def test_a_random_order_is_equally_difficult_however_long_the_list_is() -> None:
    """NDCG and ERR fall or rise with the length of a list by themselves; the measure of difficulty must not."""
    rng = np.random.default_rng(0)
    means = []
    for length in (8, 80):
        labels = np.arange(length) % 4 == 0
        means.append(np.mean([concordance(labels, rng.random(length)) for _ in range(2000)]))
    assert means == pytest.approx([0.5, 0.5], abs=0.02)


def test_equal_labels_have_no_difficulty_and_equal_scores_are_half_right() -> None:
    assert np.isnan(concordance([1, 1], [0.1, 0.2]))
    assert concordance([1, 0], [0.3, 0.3]) == 0.5


def test_engines_that_agree_name_five_documents_and_others_up_to_all() -> None:
    down = np.arange(30.0)[::-1]
    assert pool_size([down] * 5) == 5
    assert pool_size([np.roll(down, 5 * engine) for engine in range(5)]) == 25


@pytest.mark.slow
def test_no_query_is_ranked_by_what_was_learnt_from_itself() -> None:
    """With labels that are pure chance nothing can be learnt from other queries, so half of the pairs are right."""
    data = load("standin/mq2008", "Fold1/test", scale=3.0)
    labels = np.random.default_rng(0).integers(0, 2, data.n_docs).astype(np.int32)
    chance = RankingData(data.features, labels, data.query_offsets, data.query_ids, None, data.source)
    assert difficulty(chance)["concordance"].mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize(
    ("form", "read"),
    [
        ("<relevance> qid:<qid> <feature>:<value> ... <feature>:<value>", True),
        ("qid:<qid> <relevance> <feature>:<value> ... <feature>:<value>", False),
        ("<relevance> qid:<qid> <feature>=<value>", False),
        ("<relevance> qid:<qid>", False),
    ],
)
def test_only_lines_of_svm_light_are_read_as_they_were_written(form: str, read: bool) -> None:
    assert reads_as_written(form, ["0", "4"]) is read


def test_two_values_are_counted_over_all_parts() -> None:
    def part(*rows: list[float]) -> RankingData:
        features = np.array(rows, np.float32)
        offsets = np.array([0, len(rows)])
        return RankingData(features, np.zeros(len(rows), np.int32), offsets, np.array(["a"]), None, Source("example"))

    # Two values here and there, but three in all; two in all; always the same.
    assert binary_features([part([0, 0, 1], [1, 5, 1]), part([1, 0, 1], [2, 5, 1])]) == 1
