"""Protects what the page on conventions says: levels, comparisons, noise, checks from outside, graded labels."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from scipy import stats

from ltrlib.claims.claim import Claim
from ltrlib.claims.registry import claims
from ltrlib.papers.tax2015.conventions import figures, levels, limits, mixing, noise, outside, publications, tables
from ltrlib.papers.tax2015.conventions.claims_limits import EQUALLY_HARD
from ltrlib.papers.tax2015.counted import front_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import load_paper, load_table


def test_every_ndcg_at_10_on_mq2008_has_the_level_of_letors_script() -> None:
    own = levels.told().query("metric == 'NDCG@10'")
    assert len(own) == 17
    assert set(own["tool"]) == {"letor4"}
    # By hand: half the queries count 0, so the level is below half of what any other tool gives.
    assert own["value"].max() < 0.25 < 0.49 < levels.bands().query("k == 10 and tool != 'letor4'")["lowest"].min()


def test_a_value_of_ranklibs_would_be_seen() -> None:
    paper = load_paper("tax2015")
    changed = paper["results"].with_cell("RankBoost / LETOR 4.0 MQ2008 / NDCG@10", "value", "0.5027")
    own = levels.told(levels.study(paper.with_table(changed))).query("method == 'RankBoost'")
    assert set(own["tool"]) == {"ranklib"}


def test_all_pairs_of_a_data_set_are_compared_once() -> None:
    table = results().query("metric != 'MAP'")
    sizes = table.groupby(["dataset", "metric"]).size()
    assert len(mixing.pairs()) == int((sizes * (sizes - 1) // 2).sum()) == 8050
    assert {pair.kind for pair in mixing.pairs()} == set(mixing.KINDS)
    assert all(pair.gap >= 0 for pair in mixing.pairs())
    assert all(pair.tied == (pair.gap == 0) for pair in mixing.pairs())


def test_official_pairs_are_those_of_one_collection() -> None:
    """Counted in another way: for each data set, the methods whose origin names its collection."""
    table = results().query("metric != 'MAP'")
    number = 0
    for (dataset, _), group in table.groupby(["dataset", "metric"]):
        for code, collection in (("L2", "LETOR 2.0"), ("L3", "LETOR 3.0"), ("L4", "LETOR 4.0")):
            if str(dataset).startswith(collection):
                n = sum(code in origin.split("; ") for origin in group["origin"])
                number += n * (n - 1) // 2
    assert number == sum(pair.kind == "official" for pair in mixing.pairs())


def test_bounds_hold_the_printed_nwn_and_a_method_without_open_comparisons_has_none() -> None:
    found = {row["method"]: row for row in mixing.bounds().to_dict("records")}
    assert all(row["lowest"] <= row["nwn"] <= row["highest"] for row in found.values())
    assert [found["LambdaNeuralRank"][name] for name in ("lowest", "nwn", "highest")] == [1.0, 1.0, 1.0]
    assert found["RankSVM"]["iwn"] == 889  # by the printed formula, as the book's other pages have it


def test_who_is_surely_on_the_front_is_on_it_and_possibly_too() -> None:
    front = front_of_results(results(), rule="formula")
    assert mixing.certain_front() <= front <= mixing.possible_front()
    torkestani, gao = mixing.fronts().iloc[1], mixing.fronts().iloc[2]
    assert {method for method, on in torkestani.items() if on} ^ front == {"IPRank"}
    assert {method for method, on in gao.items() if on} ^ front == {"RankBoost"}
    first = mixing.fronts().iloc[0]
    assert (first.name, {method for method, on in first.items() if on}) == ("nothing", front)


def test_fold_comparisons_are_paired_t_tests() -> None:
    table = load_table("letor4", "baselines").wide().query("part == 'test' and fold != 'mean'").astype({"value": float})
    found = noise.fold_comparisons().set_index(["dataset", "metric", "first", "second"])
    assert len(found) == 2 * (3 * 10 + 6)
    for dataset, metric in (("LETOR 4.0 MQ2007", "NDCG@10"), ("LETOR 4.0 MQ2008", "MAP")):
        own = table[(table["dataset"] == dataset) & (table["metric"] == metric)]
        folds = {name: group.sort_values("fold")["value"] for name, group in own.groupby("method")}
        for first, second in combinations(sorted(map(str, folds)), 2):
            p = stats.ttest_rel(folds[first], folds[second]).pvalue
            assert bool(found.loc[(dataset, metric, first, second), "beyond"]) == (p < 0.05)


def test_each_comparison_is_won_once_or_tied() -> None:
    found = noise.aware()
    decided = int((noise.fold_comparisons()["difference"] != 0).sum())
    assert int(found["wins"].sum()) == decided
    assert int(found["beyond"].sum()) == int(noise.fold_comparisons()["beyond"].sum()) == 10


def test_second_sources_agree_by_both_definitions() -> None:
    found = outside.second_sources()
    assert (len(found), int(found["agrees"].sum()), int(found["strictly"].sum())) == (126, 121, 120)
    assert not (found["strictly"] & ~found["agrees"]).any()


def test_pooled_map_is_the_mean_over_681_queries() -> None:
    assert sum(outside.QUERIES.values()) == 681
    found = outside.pooled_map().set_index("method")["pooled"]
    assert found.round(4).to_dict() == {
        "ListNet": 0.5847,
        "AdaRank-MAP": 0.5779,
        "RankSVM": 0.5739,
        "RankBoost": 0.5624,
    }


def test_two_thirds_of_the_optimal_methods_ndcg_results_have_binary_labels() -> None:
    found = limits.graded_nwn(load_paper("tax2015").names("abstract-front")).set_index("method")
    assert found["on_binary"].to_dict() == {
        "ListNet": 24,
        "SmoothRank": 18,
        "FenchelRank": 10,
        "FSMRank": 6,
        "LRUF": 6,
        "LARF": 6,
    }
    assert (int(found["on_binary"].sum()), int(found["results"].sum())) == (70, 106)
    assert set(found.index[found["graded"] > found["binary"]]) == {"SmoothRank", "FenchelRank", "LRUF"}


def test_weighing_wins_by_the_beaten_changes_no_front() -> None:
    assert limits.weighed_front() == front_of_results(results())


def test_the_family_has_as_many_members_as_data_sets_are_judged() -> None:
    assert EQUALLY_HARD.comparisons == int((limits.opposition()["methods"] >= limits.FEWEST).sum())


def test_without_one_publication_only_fsmrank_of_the_named_hangs_on_another() -> None:
    found = publications.other_publications(load_paper("tax2015").names("abstract-front"))
    assert {method: names for method, names in found.items() if names} == {"FSMRank": ["Lai et al. (2013a)"]}


def test_verdicts_of_the_room() -> None:
    words = {one.id.partition(".")[2]: one.check().verdict.word for one in claims("tax2015", "conventions")}
    assert words == {
        "section51.graded": "inconsistent",
        "section6.one-publication": "not comparable",
        "section6.equally-hard": "undecided",
        "table2.forward-references": "not comparable",
        "table3.search-results": "not comparable",
        "matrix.official": "not reproduced",
        "matrix.liu-wins": "exact",
        "matrix.pooled-map": "same conclusion",
        "matrix.second-sources": "not reproduced",
        "section21.one-tool": "same conclusion",
    }


CAN_BE_LOST = [one for one in claims("tax2015", "conventions") if one.otherwise is not None]


@pytest.mark.parametrize("one", CAN_BE_LOST, ids=[one.id for one in CAN_BE_LOST])
def test_each_claim_can_be_lost(one: Claim) -> None:
    paper = load_paper("tax2015")
    assert one.otherwise is not None
    (other,) = one.otherwise(paper)
    before, after = ([cell.verdict for cell in one.check(given).judgements] for given in (paper, other))
    assert before != after


def test_the_page_says_what_was_computed() -> None:
    first, second, third = tables.opening()
    assert "all 17 NDCG@10 results" in first
    assert "8,050 comparisons" in second
    assert "of 72 comparisons of official baselines, whose folds are known, 10" in third
    _, alt = figures.levels_figure(levels.told(), levels.bands(), levels.TOOLS)
    assert "17 between 0.223 and 0.243" in alt
    _, alt = figures.bounds_figure(mixing.bounds(), ("LARF", "ListNet"))
    assert alt.index("ListNet 0.50") < alt.index("LARF 0.99")
    _, alt = figures.noise_figure(noise.aware())
    assert "AdaRank-MAP 0.30, beyond noise 0.00" in alt
    assert isinstance(tables.publication_table(), pd.DataFrame)
