"""What the page on conventions shows, and the numbers of its prose."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.tax2015.b6 import enumerated
from ltrlib.papers.tax2015.conventions import levels, limits, mixing, noise, outside, publications
from ltrlib.published.tables import load_paper

__all__ = [
    "comparison_kinds",
    "findings",
    "fold_table",
    "graded_table",
    "opening",
    "publication_table",
    "strength_table",
]


def comparison_kinds() -> pd.DataFrame:
    """How many comparisons of NDCG are of one convention, and how many of the rest could turn; as text."""
    effect, found, rows = levels.discount_effect(), mixing.pairs(), []
    for kind, words in mixing.KINDS.items():
        own = [pair for pair in found if pair.kind == kind]
        turn = sum(pair.gap < effect[pair.metric] for pair in own) if kind == "apart" else 0
        rows.append(
            (words, f"{len(own):,}", f"{len(own) / len(found):.0%}", f"{turn:,}" if kind == "apart" else "none")
        )
    return pd.DataFrame(rows, columns=["comparison", "number", "share", "could be reversed"])


def fold_table() -> pd.DataFrame:
    """Wins on LETOR 4.0 and how many are larger than noise; as text."""
    found = noise.letor4_wins()
    return pd.DataFrame(
        {
            "data set": found["dataset"],
            "metric": found["metric"],
            "noise of a comparison": found["margin"].map("±{:.4f}".format),
            "wins": found["wins"],
            "larger": found["larger"],
        }
    )


def graded_table() -> pd.DataFrame:
    """NWN of the optimal methods by kind of labels; as text."""
    found = limits.graded_nwn(load_paper("tax2015").names("abstract-front"))
    return pd.DataFrame(
        {
            "method": found["method"],
            "NDCG results": found["results"],
            "on binary labels": found["on_binary"],
            "NWN, NDCG, graded": found["graded"].map("{:.3f}".format),
            "NWN, NDCG, binary": found["binary"].map("{:.3f}".format),
            "NWN, MAP, binary": found["map_binary"].map("{:.3f}".format),
        }
    )


def strength_table() -> pd.DataFrame:
    """The strength of the opposition by data set; as text."""
    found = limits.opposition()
    strength = [f"{row['strength']:.3f} ± {row['error']:.3f}" for row in found.to_dict("records")]
    return pd.DataFrame({"data set": found["dataset"], "methods": found["methods"], "their NWN elsewhere": strength})


def publication_table() -> pd.DataFrame:
    """The ten publications with most results, and what happens without them; as text."""
    found = publications.influence().head(10)
    return pd.DataFrame(
        {
            "publication": found["publication"],
            "results that go with it": found["results"],
            "mean change of NWN": found["moved"].map("{:.3f}".format),
            "others off the front": found["off"].replace("", "–"),
        }
    )


def findings() -> dict[str, str]:
    """Numbers for the page's text, formatted.

    Examples
    --------
    >>> findings()["told-10"], findings()["comparisons"]
    ('17', '8,050')
    """
    told, found, effect = levels.told(), mixing.pairs(), levels.discount_effect()
    apart = [pair for pair in found if pair.kind == "apart"]
    turn = sum(pair.gap < effect[pair.metric] for pair in apart)
    folds, wins, sources = noise.fold_comparisons(), noise.letor4_wins(), outside.second_sources()
    graded = limits.graded_nwn(load_paper("tax2015").names("abstract-front"))
    change = levels.falling()
    others = change[~change["source"].str.startswith("Torkestani")]["change"]
    bounds = {row["method"]: row for row in mixing.bounds().to_dict("records")}
    strength = limits.opposition().query(f"methods >= {limits.FEWEST}")["strength"]
    pooled, levelled = outside.pooled_map(), levels.bands()
    ranklib = levelled.loc[(levelled["tool"] == "ranklib") & (levelled["k"] == 10), "lowest"].item()
    gap = max(abs(float(text) - value) for text, value in zip(pooled["published"], pooled["pooled"], strict=True))
    return {
        "mq2008-ndcg": str(len(told)),
        "told": str(int((told["tool"] == "letor4").sum())),
        "told-10": str(int(((told["metric"] == "NDCG@10") & (told["tool"] == "letor4")).sum())),
        "highest-10": f"{told.loc[told['metric'] == 'NDCG@10', 'value'].max():.4f}",
        "ranklib-10": f"{ranklib:.3f}",
        "comparisons": f"{len(found):,}",
        "alike": f"{len(found) - len(apart):,}",
        "alike-share": f"{1 - len(apart) / len(found):.0%}",
        "apart": f"{len(apart):,}",
        "turn": f"{turn:,}",
        "turn-share": f"{turn / len(found):.0%}",
        "effect": f"{effect['NDCG@3']:.1%}",
        "certain": enumerated(sorted(mixing.certain_front())),
        "possible": str(len(mixing.possible_front())),
        **{
            f"{key}-{name}": f"{bounds[method][name]:.2f}"
            for key, method in (("fenchel", "FenchelRank"), ("fsm", "FSMRank"), ("listnet", "ListNet"))
            for name in ("nwn", "lowest", "highest")
        },
        "rise-low": f"{others.min():.3f}",
        "rise-high": f"{others.max():.3f}",
        "lruf-loss": f"{-change.loc[change['method'] == 'LRUF', 'change'].item():.3f}",
        "pairs": str(len(folds)),
        "beyond": str(int(folds["beyond"].sum())),
        "beyond-share": f"{folds['beyond'].mean():.0%}",
        "letor4-wins": f"{wins['wins'].sum():,}",
        "letor4-larger": f"{wins['larger'].sum():,}",
        "letor4-share": f"{wins['larger'].sum() / wins['wins'].sum():.0%}",
        "second": str(len(sources)),
        "second-agree": str(int(sources["agrees"].sum())),
        "second-strict": str(int(sources["strictly"].sum())),
        "liu": str(int((outside.liu_wins()["published"] == outside.liu_wins()["counted"]).sum())),
        "pooled-gap": f"{gap:.4f}",
        "binary": str(int(graded["on_binary"].sum())),
        "ndcg-results": str(int(graded["results"].sum())),
        "graded-better": str(int((graded["graded"] > graded["binary"]).sum())),
        "gain-on-binary": str(int((graded["binary"] > graded["map_binary"]).sum())),
        "weakest": f"{strength.min():.2f}",
        "strongest": f"{strength.max():.2f}",
    }


def opening() -> tuple[str, str, str]:
    """Three sentences with which the page opens."""
    n = findings()
    return (
        f"On MQ2008, where tools disagree most, all {n['told-10']} NDCG@10 results behind Table B.6 are at the level "
        f"of LETOR's script. RankLib's values would be above {n['ranklib-10']}; none was mixed in.",
        f"Of the {n['comparisons']} comparisons of NDCG only {n['alike']} are certain to be between values of one "
        f"tool. Another {n['turn']} are between publications and so close that a different discount could reverse "
        "them. LARF and LRUF do not depend on these; FenchelRank and FSMRank do.",
        f"A single win is rarely more than chance: of {n['pairs']} comparisons of official baselines, whose folds are "
        f"known, {n['beyond']} are beyond their 95% interval.",
    )
