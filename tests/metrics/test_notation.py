"""Text forms of metrics: what they mean, how they are written, and what is said about wrong ones."""

from __future__ import annotations

import pytest

from ltrlib.errors import UsageError
from ltrlib.metrics import MAP, MRR, NDCG, TOOLS, parse, parse_many


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
