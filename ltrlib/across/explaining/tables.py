"""What the page on two NDCGs shows: parts of differences, what a number could be, and the sentences of its summary."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any

import pandas as pd

from ltrlib.across.explaining.records import BY_RANK, MATCHES, NONE, PARTS, RANKINGS
from ltrlib.errors import UsageError
from ltrlib.metrics.tools import TOOLS, tool
from ltrlib.published.names import name as display_name

__all__ = [
    "against",
    "by_rank",
    "chips",
    "identified",
    "numbers",
    "pair",
    "pair_table",
    "summary",
]


@cache
def _parts() -> pd.DataFrame:
    return PARTS.read().table


def _check(ranking: str, *tools: str) -> None:
    if ranking not in RANKINGS:
        raise UsageError(f"there is no ranking {ranking!r}", cure=f"choose {', '.join(RANKINGS)}")
    for name in tools:
        tool(name)


def pair(ranking: str, first: str, second: str) -> pd.DataFrame:
    """Parts of the difference between two tools, first minus second, largest first.

    Examples
    --------
    >>> found = pair("LambdaMART on MQ2008", "lightgbm", "sklearn")
    >>> found["cause"].iloc[0], bool(found["part"].iloc[0] > 0.2)
    ('empty queries', True)
    >>> bool(abs(pair("LambdaMART on MQ2008", "sklearn", "lightgbm")["part"].sum() + found["part"].sum()) < 1e-12)
    True
    """
    _check(ranking, first, second)
    table = _parts()
    table = table[table["ranking"] == ranking]
    there = table[(table["first"] == first) & (table["second"] == second)]
    if not there.empty:
        return there.reset_index(drop=True)
    turned = table[(table["first"] == second) & (table["second"] == first)]
    names = {"first": "second", "value_first": "value_second", "choice_first": "choice_second"}
    turned = turned.rename(columns=names | {new: old for old, new in names.items()})
    turned = turned.assign(part=-turned["part"], lowest=-turned["highest"], highest=-turned["lowest"])
    return turned[list(table.columns)].reset_index(drop=True)


def pair_table(first: str, second: str) -> pd.DataFrame:
    """The parts for every ranking that both tools can score: a row per cause that changes a query."""
    rows = []
    for ranking in RANKINGS:
        found = pair(ranking, first, second)
        for row in found.to_dict("records"):
            if not row["touched"]:
                continue
            rows.append(
                {
                    "ranking": ranking,
                    "cause": row["cause"],
                    "part": f"{row['part']:+.4f}",
                    _called([first]): _choice(row["choice_first"]),
                    _called([second]): _choice(row["choice_second"]),
                    "queries it changes": f"{row['touched']} of {row['queries']}",
                    "most in query": row["example"],
                }
            )
        if len(found):
            total = f"{found['part'].sum():+.4f}"
            values = found.iloc[0]
            rows.append(
                {
                    "ranking": ranking,
                    "cause": "sum",
                    "part": total,
                    _called([first]): f"{values['value_first']:.4f}",
                    _called([second]): f"{values['value_second']:.4f}",
                    "queries it changes": "",
                    "most in query": "",
                }
            )
    return pd.DataFrame(rows)


def against(ranking: str, base: str) -> pd.DataFrame:
    """Parts of every tool's difference from one: a row per tool, a column per cause."""
    _check(ranking, base)
    rows = {}
    for name in TOOLS:
        found = pair(ranking, name, base)
        if len(found):
            rows[name] = dict(zip(found["cause"], found["part"], strict=True))
    table = pd.DataFrame.from_dict(rows, orient="index").fillna(0.0)
    largest = table.abs().max()
    table = table[largest.sort_values(ascending=False).index]
    return table.loc[table.sum(axis=1).sort_values().index]


def by_rank(ranking: str, first: str, second: str) -> pd.DataFrame:
    """Parts at each cut-off: a row per cut-off, a column per cause."""
    _check(ranking, first, second)
    table = BY_RANK.read().table
    table = table[table["ranking"] == ranking]
    sign = 1.0
    found = table[(table["first"] == first) & (table["second"] == second)]
    if found.empty:
        found, sign = table[(table["first"] == second) & (table["second"] == first)], -1.0
    if found.empty:
        raise UsageError(f"{first} against {second} was not recorded rank by rank")
    wide = found.pivot(index="k", columns="cause", values="part") * sign
    return wide[wide.abs().max().sort_values(ascending=False).index]


def identified(ranking: str) -> pd.DataFrame:
    """What each tool's number, printed with four digits, was found to be: a row per number."""
    _check(ranking)
    table = MATCHES.read().table
    table = table[table["ranking"] == ranking]
    rows = []
    for printed, some in table.groupby("printed", sort=True):
        plain = some[some["preprocessing"] == NONE].drop_duplicates("metric")
        tools = [name for name in plain["metric"] if name in {f"ndcg@10:{name}" for name in TOOLS}]
        others = some[~some["metric"].isin(tools) | (some["preprocessing"] != NONE)]
        others = others.drop_duplicates(["metric", "preprocessing"])
        computed, found = some["tool"].unique().tolist(), [name.partition(":")[2] for name in tools]
        rows.append(
            {
                "number": printed,
                "computed by": _called(computed),
                "found": f"all {len(found)}" if len(found) > 1 and set(found) == set(computed) else _called(found),
                "ask next for": some["next"].iloc[0],
                "by chance": f"{some['by_chance'].iloc[0]:.2f}",
                "also fits": ", ".join(_named(row) for row in others.to_dict("records")) or "–",
            }
        )
    return pd.DataFrame(rows)


def _called(tools: list[str]) -> str:
    return ", ".join(display_name("tool", one) for one in tools)


def _choice(words: str) -> str:
    """What a tool does, with a minus sign for the hyphen of the command line."""
    return words.replace(" - ", " − ")


def _named(row: Mapping[Hashable, Any]) -> str:
    before = "" if row["preprocessing"] == NONE else f" ({row['preprocessing']})"
    return f"{row['metric']}{before}"


def numbers(first: str, second: str) -> dict[str, str]:
    """Numbers of the prose.

    Examples
    --------
    >>> sorted(numbers("lightgbm", "sklearn"))[:3]
    ['example-difference', 'example-first', 'example-largest']
    """
    found: dict[str, str] = {}
    for key, ranking in (("mq2008", "LambdaMART on MQ2008"), ("example", "LightGBM on its own example")):
        rows = pair(ranking, first, second)
        if rows.empty:
            if key == "mq2008":
                raise UsageError(f"{first} and {second} compute the same NDCG", cure="choose two tools that differ")
            continue
        largest = rows.to_dict("records")[int(rows["part"].abs().to_numpy().argmax())]
        found |= {
            f"{key}-first": f"{rows['value_first'].iloc[0]:.4f}",
            f"{key}-second": f"{rows['value_second'].iloc[0]:.4f}",
            f"{key}-difference": f"{rows['part'].sum():+.4f}",
            f"{key}-largest": str(largest["cause"]),
            f"{key}-largest-part": f"{largest['part']:+.4f}",
            f"{key}-which": "only" if int((rows["touched"] > 0).sum()) == 1 else "largest",
            f"{key}-touched": f"{largest['touched']} of {largest['queries']}",
        }
    matches = MATCHES.read().table
    matches = matches[matches["ranking"] == "LambdaMART on MQ2008"]
    # A tool is found if its own metric, without preprocessing, is among what fits its number.
    own = matches[(matches["metric"] == "ndcg@10:" + matches["tool"]) & (matches["preprocessing"] == NONE)]
    found["tools"] = str(matches["tool"].nunique())
    found["found"] = str(own["tool"].nunique())
    found["numbers"] = str(matches["printed"].nunique())
    found["mystery"] = str(matches.loc[matches["tool"] == "trec_eval", "printed"].iloc[0])
    for key, ranking in (("ties-lambdamart", "LambdaMART on MQ2008"), ("ties-feature", "one feature on MQ2008")):
        rows = _parts()
        ties = rows[(rows["ranking"] == ranking) & (rows["cause"] == "ties")]
        found[key] = f"{ties['part'].abs().max():.4f}"
    found["tried"] = f"{matches['tried'].min():,}"
    return found


def summary(first: str, second: str) -> list[str]:
    """The three sentences with which the page opens.

    Examples
    --------
    >>> len(summary("lightgbm", "sklearn"))
    3
    """
    said, names = numbers(first, second), (TOOLS[first].title, TOOLS[second].title)
    sentences = [
        f"{names[0]} gives a LambdaMART ranking of MQ2008 an NDCG@10 of {said['mq2008-first']}, {names[1]} one of "
        f"{said['mq2008-second']}. The difference is {said['mq2008-difference']}; its {said['mq2008-which']} "
        f"cause is {said['mq2008-largest']} ({said['mq2008-largest-part']})."
    ]
    if "example-first" in said:
        sentences.append(
            f"On LightGBM's own example the two give {said['example-first']} and {said['example-second']}. There the "
            f"difference is {said['example-difference']}, and its {said['example-which']} cause is "
            f"{said['example-largest']} ({said['example-largest-part']})."
        )
    sentences.append(
        f"Given only the number, printed with four digits, `ltrlib identify` names the right tool in {said['found']} "
        f"of {said['tools']} cases. It often names others as well: the tools print only {said['numbers']} different "
        "numbers."
    )
    return sentences


def chips(*tools: str) -> str:
    """The conventions of some tools at the record's cut-off, as a page's chips name them.

    Examples
    --------
    >>> chips("lightgbm", "sklearn")
    'ndcg@10:lightgbm, ndcg@10:sklearn'
    """
    return ", ".join(f"ndcg@10:{tool}" for tool in tools)
