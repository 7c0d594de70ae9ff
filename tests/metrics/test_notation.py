"""Text forms of metrics: what they mean, how they are written, and what is said about wrong ones."""

from __future__ import annotations

import pytest

from ltrlib.errors import UsageError
from ltrlib.metrics import MAP, MRR, NDCG, TOOLS, parse, parse_many
from ltrlib.metrics.notation import reading


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("ndcg@10", "ndcg@10"),
        (" NDCG@10 ", "ndcg@10"),
        ("MAP", "map"),
        ("ap@5", "map@5"),
        ("rr", "mrr"),
        ("precision@3", "p@3"),
        ("ndcg@10(gain=exp2)", "ndcg@10"),
        ("ndcg@10(ties=worst, gain=linear)", "ndcg@10(gain=linear,ties=worst)"),
        ("ndcg@10:letor4(discount=letor)", "ndcg@10:letor4"),
        ("ndcg@10:letor4(discount=log2)", "ndcg@10:letor4(discount=log2)"),
        ("ndcg@10:xgboost-", "ndcg@10:xgboost-"),
        ("ndcg:xgboost", "ndcg@32:xgboost"),
        ("map(empty=1.0)", "map(empty=1)"),
        ("ndcg@10(gain=0/1/3)", "ndcg@10(gain=0/1/3)"),
        ("ndcg@10()", "ndcg@10"),
        ("ndcg@10:XGBoost", "ndcg@10:xgboost"),
        ("RBP(p=0.5)", "rbp(p=0.5)"),
        ("R@100", "recall@100"),
        ("f@3(beta=2)", "f@3(beta=2)"),
        # trec_eval
        ("ndcg_cut_10", "ndcg@10:trec_eval"),
        ("ndcg_cut.10", "ndcg@10:trec_eval"),
        ("map_cut.100", "map@100:trec_eval"),
        ("recip_rank", "mrr:trec_eval"),
        ("P.5", "p@5:trec_eval"),
        ("P_5", "p@5:trec_eval"),
        ("recall_1000", "recall@1000:trec_eval"),
        ("success_1", "success@1:trec_eval"),
        ("set_F", "f:trec_eval"),
        ("num_rel_ret", "numrelret:trec_eval"),
        # ir_measures
        ("nDCG@10", "ndcg@10"),
        ("AP", "map"),
        ("RR@10", "mrr@10"),
        ("P(rel=2)@5", "p@5:ir_measures(relevant_from=2)"),
        ("AP(rel=2)", "map:ir_measures(relevant_from=2)"),
        ("nDCG(dcg='exp-log2')@10", "ndcg@10:ir_measures(gain=exp2,precision=float64)"),
        ("nDCG(gains={0:0,1:1,2:5})@10", "ndcg@10:ir_measures(gain=0/1/5)"),
        ("NumRet(rel=2)", "numrelret:ir_measures(relevant_from=2)"),
        ("RBP(rel=1,p=0.7)", "rbp(p=0.7)"),  # by our own rules: its providers are not installed with it
        ("SetR", "recall:ir_measures"),
        # ranx
        ("ndcg_burges@10", "ndcg@10:ranx(gain=exp2)"),
        ("hit_rate@5", "success@5:ranx"),
        ("r-precision", "rprec:ranx"),
        ("f1@10", "f@10:ranx"),
        ("rbp.95", "rbp:ranx(p=0.95)"),
        ("map@100-l2", "map@100:ranx(relevant_from=2)"),
    ],
)
def test_one_canonical_text_per_metric(written: str, canonical: str) -> None:
    assert str(parse(written)) == canonical
    assert parse(canonical) == parse(written)


def test_a_tool_stays_part_of_the_metric() -> None:
    """So that results of two tools with one convention do not fall together."""
    assert parse("ndcg@10:ranklib") != parse("ndcg@10")
    assert parse("ndcg@10:ranklib").tool == "ranklib"


def test_a_cut_off_can_change_the_rules_of_a_tool() -> None:
    """ir-measures sends RR and RR@k to two providers that break ties in opposite directions."""
    whole, cut = parse("mrr:ir_measures"), parse("mrr@10:ir_measures")
    assert isinstance(whole, MRR)
    assert isinstance(cut, MRR)
    assert (whole.ties, cut.ties) == ("docid", "docid-ascending")
    assert str(cut) == "mrr@10:ir_measures"


def test_ranges_and_objects_mix() -> None:
    assert parse_many("ndcg@3..4") == (NDCG(3), NDCG(4))
    assert parse_many([NDCG(5), "map"]) == (NDCG(5), MAP())
    assert [str(metric) for metric in parse_many(["ndcg@1..2", "map:mslr"], tool="yahoo")] == [
        "ndcg@1:yahoo",
        "ndcg@2:yahoo",
        "map:mslr",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndgc@10", "did you mean ndcg"),
        ("ndcg@10:letor", "there is no tool 'letor', did you mean letor4"),
        ("err:letor4", "the preset letor4 has no err"),
        ("err:ir_measures", "has no err without a cut-off"),
        ("ndcg@0", "1 or more"),
        ("ndcg@", "is not the text of a metric"),
        ("ndcg@10(", "is not the text of a metric"),
        ("", "is not the text of a metric"),
        ("ndcg@5..3", "range of cut-offs is empty"),
        ("ndcg@10(gains=linear)", "did you mean gain"),
        ("ndcg@10(gain)", "has no choice 'gain'"),
        ("ndcg@10(discount=log)", "discount='log' is not known"),
        ("ndcg@10(empty=none)", "empty=none is not a number"),
        ("ndcg@10(empty=-1)", "0 or more"),
        ("ndcg@10(gain=0/x)", "is not a number"),
        ("ndcg@10(short=pad)", "short='pad' is not known"),
        ("map(ties=average)", "ties='average' is not known"),
        ("map(relevant_from=0)", "1 or more"),
        ("map(relevant_from=1.5)", "is not a number"),
        ("tau@10", "tau has no cut-off"),
        ("meanndcg@10", "meanndcg has no cut-off"),
        ("ndcg@1..3", "names 3 metrics"),
        ("ndcg_cut.5,10", "names 2 metrics"),
        ("ndcg@99999999999999999999", "at most 2,147,483,647"),
        ("ndcg@3000000000", "at most 2,147,483,647"),
        ("ndcg@1..100000", "100,000 cut-offs are more than 10,000"),
        ("ndcg@\u0663", "is not the text of a metric"),
        ("err(max_grade=5000)", "at most 1023"),
        ("rbp(p=1)", "between 0 and 1"),
        ("rprec@5", "rprec has no cut-off"),
        ("judged@5(empty=1)", "judged has no choice 'empty=1'"),
        ("gm_map", "geometric mean"),
        ("alpha_nDCG@10", "subtopics"),
        ("iprec_at_recall_0.10", "levels of recall"),
        ("P(judged_only=True)@5", "judged_only=True of ir_measures is not known here"),
        ("P(rel=)@5", "the brackets cannot be read"),
    ],
)
def test_wrong_texts_get_an_answer_that_helps(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        parse(text)


def test_an_unknown_name_lists_what_is_known() -> None:
    with pytest.raises(UsageError) as error:
        parse("ndcg@10:foo")
    assert error.value.cure is not None
    assert all(name in error.value.cure for name in TOOLS)


def test_a_name_of_another_tool_follows_the_tool_that_is_asked_for() -> None:
    assert [str(metric) for metric in parse_many("ndcg_cut.5,10", tool="letor4")] == ["ndcg@5:letor4", "ndcg@10:letor4"]
    assert len(parse_many("ndcg_cut")) == 9  # trec_eval's own cut-offs


def test_a_name_that_is_not_taken_as_its_tool_has_it_says_so() -> None:
    """On a list of two, ranx's precision@5 divides by 5 and ours by 2."""
    for name, tool in (("precision@5", "ranx"), ("hits@5", "ranx"), ("Rprec", "ir_measures"), ("AP@5", "ir_measures")):
        assert f"{name} is computed by ltrlib's rules" in (reading(name) or "")
        assert f"--tool {tool} differs in" in (reading(name) or "")
    assert [reading(name) for name in ("p@5", "map", "ndcg@10", "precision@5:ranx")] == [None] * 4


def test_ten_thousand_cut_offs_are_read_at_once() -> None:
    assert len(parse_many("ndcg@1..10000")) == 10_000
