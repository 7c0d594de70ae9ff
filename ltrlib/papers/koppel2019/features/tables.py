"""What the page shows: networks on the same features, what the transform yields, pairs, and numbers of the prose."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.claims.noise import decide
from ltrlib.errors import RecordError
from ltrlib.papers.koppel2019.features.comparisons import half_lead, paired, printed_error, stored_lead
from ltrlib.papers.koppel2019.features.plans import DATASETS, FORMS, METHODS, PAIRINGS
from ltrlib.papers.koppel2019.features.records import METHOD_QUERIES, METHOD_RUNS, PAIR_QUERIES, PAIR_RUNS, SPREADS
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record

__all__ = [
    "PROTOCOL",
    "SHORT",
    "TITLES",
    "forms_of",
    "glue_numbers",
    "leads",
    "leads_table",
    "levels_said",
    "means_table",
    "networks_said",
    "numbers",
    "pair_changes",
    "pairs_table",
    "records",
    "repair",
    "repairs_table",
    "show_networks",
    "show_repair",
    "spreads_table",
    "stored_table",
    "summary",
    "varying_features",
]

PROTOCOL = "ndcg@10:the paper's protocol"
"""Whose NDCG the networks are compared by."""

SHORT = {
    "raw": "raw",
    "standardised": "standardised",
    "authors": "authors' transform",
    "averaged": "averaged ranks",
}
"""Forms of the features as figure and tables call them."""

TITLES = {"mq2008": "MQ2008", "mslr-web10k-sample": "MSLR sample"}
"""Data sets as tables call them."""

_SAID = {
    "all classes": "all classes, not neighbours only",
    "equal classes too": "pairs of equal class too",
    "identity": "identity instead of tanh",
}
_LEVEL = 0.05
_DECIDED = {True: "no", False: "yes", None: "undecided"}


def records() -> dict[str, Record]:
    """The records of the page, by what they hold; those of the networks only once they are made."""
    found = {"pairs": PAIR_QUERIES.read(), "pair runs": PAIR_RUNS.read(), "spreads": SPREADS.read()}
    try:
        return found | {"methods": METHOD_QUERIES.read(), "runs": METHOD_RUNS.read()}
    except RecordError:
        return found


def forms_of(runs: pd.DataFrame) -> list[str]:
    """Forms of the features that were recorded, in the order of `FORMS`."""
    return [form for form in FORMS if form in set(runs["form"])]


def _interval(measured: Measured) -> str:
    low, high = measured.interval()
    return f"{low:+.4f} to {high:+.4f}".replace("-0.0000", "0.0000")


def means_table(queries: pd.DataFrame, metric: str = "ndcg") -> pd.DataFrame:
    """Mean over all test queries: one row per data set and form, one column per method."""
    means = queries.groupby(["dataset", "form", "method"])[metric].mean()
    return pd.DataFrame(
        [
            {"data": TITLES[dataset], "features": SHORT[form]}
            | {method: f"{means[dataset, form, method]:.4f}" for method in METHODS}
            for dataset in DATASETS
            for form in forms_of(queries)
        ]
    )


def leads(runs: pd.DataFrame, queries: pd.DataFrame, metric: str = "ndcg") -> dict[tuple[str, str, str], Measured]:
    """DirectRanker's lead over each other network, by data set, form and rival."""
    return {
        (dataset, form, rival): paired(
            runs,
            queries,
            {"method": "DirectRanker", "form": form},
            {"method": rival, "form": form},
            dataset=dataset,
            metric=metric,
        )
        for dataset in DATASETS
        for form in forms_of(runs)
        for rival in METHODS
        if rival != "DirectRanker"
    }


def leads_table(found: dict[tuple[str, str, str], Measured]) -> pd.DataFrame:
    """DirectRanker's leads with their intervals."""
    rows = []
    for (dataset, form, rival), lead in found.items():
        row = {"data": TITLES[dataset], "features": SHORT[form], "over": rival}
        rows.append(row | {"lead": f"{lead.value:+.4f}", "95% interval": _interval(lead)})
    return pd.DataFrame(rows)


def repair(runs: pd.DataFrame, queries: pd.DataFrame, method: str, dataset: str) -> Measured:
    """What averaged ranks with a real standard deviation of one third bring, against the authors' transform."""
    sides = ({"method": method, "form": form} for form in ("averaged", "authors"))
    return paired(runs, queries, *sides, dataset=dataset)


def repairs_table(runs: pd.DataFrame, queries: pd.DataFrame) -> pd.DataFrame:
    """What the repaired transform changes for each network."""
    paper, rows = load_paper("koppel2019"), []
    for dataset in DATASETS:
        for method in METHODS:
            gain, margin = repair(runs, queries, method, dataset), printed_error(paper, dataset)
            rows.append(
                {
                    "data": TITLES[dataset],
                    "network": method,
                    "change": f"{gain.value:+.4f}",
                    "95% interval": _interval(gain),
                    "margin": f"{margin:.3f}",
                    "does it matter?": _DECIDED[decide(gain.interval(), "equal", margin)],
                }
            )
    return pd.DataFrame(rows)


def pair_changes(runs: pd.DataFrame, queries: pd.DataFrame) -> dict[tuple[str, str], Measured]:
    """What each other choice of pairs or output changes against the authors', by data set and choice."""
    first = next(iter(PAIRINGS))
    return {
        (dataset, other): paired(runs, queries, {"pairing": other}, {"pairing": first}, dataset=dataset)
        for dataset in DATASETS
        for other in PAIRINGS
        if other != first
    }


def pairs_table(found: dict[tuple[str, str], Measured]) -> pd.DataFrame:
    """What each other choice of pairs or output changes."""
    paper, rows = load_paper("koppel2019"), []
    for (dataset, other), change in found.items():
        margin = printed_error(paper, dataset)
        rows.append(
            {
                "data": TITLES[dataset],
                "instead": _SAID[other],
                "change": f"{change.value:+.4f}",
                "95% interval": _interval(change),
                "margin": f"{margin:.3f}",
                "does it matter?": _DECIDED[decide(change.interval(), "equal", margin)],
            }
        )
    return pd.DataFrame(rows)


def varying_features(spreads: pd.DataFrame, dataset: str) -> int:
    """How many features of the first file vary: averaged ranks give each of them, and no other, one third."""
    own = spreads[(spreads["dataset"] == dataset) & (spreads["form"] == "averaged")]
    return int(own["close"].iloc[0])


def spreads_table(spreads: pd.DataFrame) -> pd.DataFrame:
    """What the features look like in each form: means over the training files, counts of the first."""
    rows = []
    for dataset in DATASETS:
        for form in FORMS:
            own = spreads[(spreads["dataset"] == dataset) & (spreads["form"] == form)]
            quantiles = form in ("authors", "averaged")
            rows.append(
                {
                    "data": TITLES[dataset],
                    "features": SHORT[form],
                    "sd, all values": _spread(own["sd"].mean()),
                    "median feature's": f"{own['sd_median'].mean():.2f}",
                    "near 1/3": f"{own['close'].iloc[0]} of {varying_features(spreads, dataset)}",
                    "clipped": f"{own['clipped'].mean():.0%}" if quantiles else "–",
                }
            )
    return pd.DataFrame(rows)


def _spread(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{float(f'{value:.2g}'):,.0f}"


def stored_table() -> pd.DataFrame:
    """DirectRanker's lead on MSLR-WEB10K as printed, and in the authors' stored folds."""
    paper, rows = load_paper("koppel2019"), []
    for rival in ("RankNet", "ListNet"):
        stored = stored_lead(paper, rival)
        rows.append(
            {
                "over": rival,
                "printed lead": f"{2 * half_lead(paper, rival):.3f}",
                "lead in the stored folds": f"{stored.lead:+.4f}",
                "error at most": f"{stored.largest_error:.4f}",
                "error at least": f"{stored.least_error:.4f}",
                "p at least": f"{stored.least_p:.2f}" if stored.least_p >= 0.01 else f"{stored.least_p:.3f}",
            }
        )
    return pd.DataFrame(rows)


def numbers(found: Mapping[str, Record]) -> dict[str, str]:
    """Numbers of the prose that need no network."""
    paper, spreads = load_paper("koppel2019"), found["spreads"].table
    own = spreads[spreads["dataset"] == "mq2008"]
    authors, raw = (own[own["form"] == form] for form in ("authors", "raw"))
    stored, listnet = stored_lead(paper, "RankNet"), stored_lead(paper, "ListNet")
    return {
        "printed-lead": f"{2 * half_lead(paper, 'RankNet'):.3f}",
        "stored-lead": f"{stored.lead:.4f}",
        "stored-p": f"{stored.least_p:.2f}",
        "stored-lead-listnet": f"{listnet.lead:.4f}",
        "listnet-said": "could be significant" if listnet.least_p < _LEVEL else "is not significant either",
        "sd": f"{authors['sd'].mean():.2f}",
        "sd-raw": f"{raw['sd'].mean():.2f}",
        "clipped": f"{authors['clipped'].mean():.0%}",
        "close": _having(int(authors["close"].max())),
        "features": f"{varying_features(spreads, 'mq2008')}",
    }


def _having(count: int) -> str:
    return "none has" if not count else "1 has" if count == 1 else f"{count} have"


def networks_said(found: Mapping[str, Record]) -> list[str]:
    """What the networks on the same features show: the lead, its levels, the repair; or what to type to record them."""
    if "runs" not in found:
        return [f"The networks themselves are not recorded yet: `ltrlib record {METHOD_RUNS.name}` trains them."]
    runs, queries = found["runs"].table, found["methods"].table
    means = queries.groupby(["dataset", "form", "method"])["ndcg"].mean()
    lead, sample = leads(runs, queries), "mslr-web10k-sample"
    levels = {}
    for form in ("raw", "authors"):
        first, *others, last = (f"{method} {means[sample, form, method]:.3f}" for method in METHODS)
        levels[form] = f"{', '.join([first.replace(' ', ' scores '), *others])} and {last}"
    ahead = lead[sample, "authors", "RankNet"]
    low, high = ahead.interval()
    gain = repair(runs, queries, "DirectRanker", "mq2008")
    return [
        "We gave all networks the same transformed features on a sample of MSLR-WEB10K. There DirectRanker's lead "
        f"over RankNet is {ahead.value:+.3f} (95% interval {low:+.3f} to {high:+.3f}).",
        f"On transformed features of the sample of MSLR-WEB10K, {levels['authors']}. On raw ones, {levels['raw']}.",
        f"A transform that does yield 1/3 changes DirectRanker's NDCG@10 on MQ2008 by {gain.value:+.4f} "
        f"({_interval(gain)}).",
    ]


def summary(found: Mapping[str, Record]) -> list[str]:
    """The three sentences with which the page opens."""
    told, networks = numbers(found), networks_said(found)
    return [
        f"DirectRanker's printed lead over RankNet on MSLR-WEB10K is {told['printed-lead']} in NDCG@10, but RankNet "
        "seems to have got raw features. Over the RankNet that the authors trained later, on transformed features, the "
        f"lead is {told['stored-lead']}, and not significant (p at least {told['stored-p']}).",
        networks[0],
        f"The paper's transform does not yield “standard deviation 1/3”: on MQ2008 it is {told['sd']}, and "
        f"{told['clipped']} of the values sit at a clipped end. " + " ".join(networks[2:]),
    ]


def levels_said(found: Mapping[str, Record]) -> str:
    """The NDCG of each network, in a sentence; what to type if they are not recorded."""
    said = networks_said(found)
    return said[1] if len(said) > 1 else said[0]


def glue_numbers(glue: Callable[[str, str], None], found: Mapping[str, Record]) -> None:
    """Hand every number of the prose to the page."""
    for key, text in numbers(found).items():
        glue(f"koppel2019.features.{key}", text)


def show_networks(show_table: Callable[..., None], found: Mapping[str, Record], metric: str) -> None:
    """Show means and leads of the networks, if they are recorded."""
    if "runs" not in found:
        return
    runs, queries = found["runs"].table, found["methods"]
    caption = f"{'MAP' if metric == 'map' else 'NDCG@10'}: means over all test queries and five seeds."
    show_table(
        means_table(queries.table, metric),
        name="tab-koppel2019-same-features",
        caption=caption,
        on=queries,
        convention=PROTOCOL,
    )
    caption = "DirectRanker's lead in NDCG@10 when both get the same features, paired by query and seed."
    show_table(
        leads_table(leads(runs, queries.table)),
        name="tab-koppel2019-leads",
        caption=caption,
        on=queries,
        convention=PROTOCOL,
    )


def show_repair(show_table: Callable[..., None], found: Mapping[str, Record]) -> None:
    """Show what the repaired transform changes, if the networks are recorded."""
    if "runs" in found:
        table = repairs_table(found["runs"].table, found["methods"].table)
        caption = (
            "What changes in NDCG@10 with averaged ranks, instead of the authors' transform. "
            "Margin: the standard error that Table 1 prints."
        )
        show_table(table, name="tab-koppel2019-repair", caption=caption, on=found["methods"], convention=PROTOCOL)
