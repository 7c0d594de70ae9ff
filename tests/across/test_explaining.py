"""Protects the page on two NDCGs: recorded parts that add up, and prose that follows from them."""

from __future__ import annotations

import pandas as pd
import pytest

from ltrlib.across.explaining import figures, tables
from ltrlib.across.explaining.records import MATCHES, NONE, PARTS, RANKINGS
from ltrlib.errors import UsageError
from ltrlib.metrics import TOOLS

MQ2008, EXAMPLE = "LambdaMART on MQ2008", "LightGBM on its own example"


def test_recorded_parts_add_up_for_every_two_tools() -> None:
    table = PARTS.read().table
    for _, rows in table.groupby(["ranking", "first", "second"]):
        difference = rows["value_first"].iloc[0] - rows["value_second"].iloc[0]
        assert rows["part"].sum() == pytest.approx(difference, abs=1e-12)
        assert (rows["lowest"] - 1e-12 <= rows["part"]).all()
        assert (rows["part"] <= rows["highest"] + 1e-12).all()


def test_a_pair_can_be_asked_either_way_round() -> None:
    one, other = (tables.pair(MQ2008, *pair) for pair in (("yahoo", "letor4"), ("letor4", "yahoo")))
    assert one["part"].tolist() == (-other["part"]).tolist()
    assert one["value_first"].tolist() == other["value_second"].tolist()
    assert one["choice_first"].tolist() == other["choice_second"].tolist()
    with pytest.raises(UsageError, match="no ranking"):
        tables.pair("nothing", "yahoo", "letor4")
    with pytest.raises(UsageError, match="did you mean"):
        tables.pair(MQ2008, "letor5", "yahoo")


def test_empty_queries_are_worth_their_share_of_mq2008() -> None:
    """Two hundred and twenty of 784 queries score 1 with the one and 0 with the other: counted elsewhere, and exact."""
    rows = tables.pair(MQ2008, "lightgbm", "sklearn").set_index("cause")
    assert rows.loc["empty queries", "part"] == pytest.approx(220 / 784, abs=1e-12)
    assert rows.loc["empty queries", "touched"] == 220


def test_the_prose_follows_from_the_record() -> None:
    example = tables.pair(EXAMPLE, "lightgbm", "sklearn").set_index("cause")
    assert example.loc["empty queries", "touched"] == 0  # "has no such query"
    assert example["part"].sum() < 0 < tables.pair(MQ2008, "lightgbm", "sklearn")["part"].sum()  # "the sign turns"
    table = PARTS.read().table
    largest = table[table["ranking"] == MQ2008].assign(size=lambda rows: rows["part"].abs())
    size = largest.groupby("cause")["size"].max()
    assert (size[["empty queries", "short lists"]] > 0.1).all()  # "by tenths"
    assert size[["gain", "discount"]].between(0.005, 0.015).all()  # "about a hundredth"
    curve = tables.by_rank(MQ2008, "letor4", "ranklib")
    short, discount = (
        dict(zip(curve.index, curve[name].tolist(), strict=True)) for name in ("short lists", "discount")
    )
    assert short[1] == discount[1] == 0.0  # "at rank 1 the two agree"
    assert discount[2] > 0
    assert short[5] == 0.0 > short[6]  # "from cut-off 6 on"
    difference = curve.sum(axis=1)
    assert (difference.loc[2:7] > 0).all()
    assert (difference.loc[8:] < 0).all()  # "from cut-off 8 on"


def test_every_tool_is_found_from_its_number() -> None:
    table = MATCHES.read().table
    for ranking in RANKINGS:
        some = table[table["ranking"] == ranking]
        own = some[(some["metric"] == "ndcg@10:" + some["tool"]) & (some["preprocessing"] == NONE)]
        assert set(own["tool"]) == set(some["tool"])
    assert table.loc[table["ranking"] == MQ2008, "tool"].nunique() == len(TOOLS)


def test_sentences_and_tables_are_whole() -> None:
    sentences = tables.summary("lightgbm", "sklearn")
    assert len(sentences) == 3
    assert all(number in " ".join(sentences) for number in ("0.7724", "17 of 17"))
    assert len(tables.summary("letor4", "ranklib")) == 2  # LETOR's script has no gains for the example's labels
    table = tables.pair_table("lightgbm", "sklearn")
    assert list(table["ranking"].unique()) == list(RANKINGS)
    found = tables.identified(MQ2008)
    alike = found["computed by"].str.count(",").add(1).map("all {}".format)
    assert ((found["computed by"] == found["found"]) | (alike == found["found"])).all()


def test_figures_say_what_they_show() -> None:
    import matplotlib.pyplot as plt

    for figure, alt in (
        figures.steps_figure("lightgbm", "sklearn"),
        figures.tools_figure(MQ2008, "ranklib"),
        figures.rank_figure(MQ2008, "letor4", "ranklib"),
    ):
        assert len(alt) > 60
        plt.close(figure)
    assert isinstance(tables.against(MQ2008, "ranklib"), pd.DataFrame)


def test_two_tools_that_compute_the_same_are_refused_in_words() -> None:
    with pytest.raises(UsageError, match="trec_eval and pytrec_eval compute the same NDCG"):
        tables.summary("trec_eval", "pytrec_eval")
