"""Tables and numbers of the chapter on DirectRanker's sensitivity, from the records."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ltrlib.datasets.synthetic import Noise
from ltrlib.papers.koppel2019.sensitivity.peaks import neighbour_outputs
from ltrlib.papers.koppel2019.sensitivity.records import OUTPUTS, RARE, THRESHOLDS, TRIALS
from ltrlib.papers.koppel2019.sensitivity.trials import (
    AXES,
    DATA_SETS,
    LARGE_NET_STEPS,
    PAIRS,
    STEPS,
    Trial,
    grid,
)
from ltrlib.published.tables import Paper

__all__ = [
    "PANELS",
    "accuracies",
    "left_open",
    "live",
    "live_numbers",
    "numbers",
    "protocol",
    "rare",
    "run_here",
    "summary",
    "wrong_labels",
]


PANELS = {
    "synthetic": "synthetic data, three classes",
    "mslr graded": "one query of MSLR-WEB10K, five grades",
    "mslr binarised": "another query, two classes",
}
"""The three panels of Figure 3."""


def summary(table: pd.DataFrame, by: Sequence[str], values: Sequence[str] = ("ndcg", "best", "chance")) -> pd.DataFrame:
    """Mean of some columns over the data sets, with the standard error of the first.

    Examples
    --------
    >>> table = pd.DataFrame({"sigma": [0.0, 0.0], "ndcg": [0.8, 0.6], "best": [1.0, 1.0], "chance": [0.3, 0.3]})
    >>> summary(table, ["sigma"]).round(3).values.tolist()
    [[0.0, 0.7, 1.0, 0.3, 0.1, 2.0]]
    """
    grouped = table.groupby(list(by), sort=False)
    found = grouped[list(values)].mean()
    found["error"] = grouped[values[0]].sem()
    found["data_sets"] = grouped.size()
    return found.reset_index()


def _with_error(column: pd.Series) -> str:
    values = column.to_numpy(np.float64)
    if not np.ptp(values):
        return f"{values[0]:.3f}"
    return f"{values.mean():.3f} ± {values.std(ddof=1) / math.sqrt(len(values)):.3f}"


def numbers(paper: Paper) -> dict[str, str]:
    """Numbers of the prose: published ones as printed, ours with three decimals.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> numbers(load_paper("koppel2019"))["sigma-small"]
    '0.25'
    """
    names = {
        "mean-low": "synthetic-mean-low",
        "mean-high": "synthetic-mean-high",
        "sd-low": "synthetic-sd-low",
        "sd-high": "synthetic-sd-high",
        "hidden": "synthetic-hidden",
        "sigma-small": "noise-small-sigma",
        "sigma-large": "noise-large-sigma",
        "noise-small": "noise-small",
        "noise-large": "noise-large",
        "limit": "noise-large-ndcg",
    }
    found = {key: str(paper.statement(name)) for key, name in names.items()}
    classes, features, noise = (TRIALS[axis].read().table for axis in ("classes", "features", "noise"))
    few = features[(features["features"] == features["features"].min()) & (features["classes"] == Trial().classes)]
    many = classes[(classes["classes"] == classes["classes"].max()) & (classes["features"] == Trial().features)]
    noisiest = noise[noise["sigma"] == paper.statement("noise-large-sigma").value]
    large, code = (noisiest[noisiest["variant"] == variant] for variant in ("text", "code2022"))
    cuts = THRESHOLDS.read().table
    right = cuts[cuts["panel"] == "mslr binarised"].groupby("method")["accuracy"].mean()
    lists = OUTPUTS.read().table
    drawn = lists[lists["panel"] == "synthetic"]
    between, change = neighbour_outputs(drawn["score"].to_numpy()), np.diff(drawn["label"].to_numpy()) != 0
    return found | {
        "data-sets": str(DATA_SETS),
        "steps": f"{STEPS:,}",
        "drawn": f"{2 * STEPS * PAIRS / 1e6:.1f} million",
        "few-features": f"{few['ndcg'].mean():.3f}",
        "best-few-features": f"{few['best'].mean():.3f}",
        "most-classes": str(classes["classes"].max()),
        "many-classes": f"{many['ndcg'].mean():.3f}",
        "best-many-classes": f"{many['best'].mean():.3f}",
        "hard-features": str(grid("open")[0].features),
        "perfect-open": f"{large[large['limits'] == 'open']['perfect'].mean():.3f}",
        "ndcg-classes": f"{large[large['limits'] == 'classes']['ndcg'].mean():.3f}",
        "ndcg-true": f"{large[large['limits'] == 'open']['ndcg_true'].mean():.3f}",
        "ndcg-code": f"{code['ndcg'].mean():.3f}",
        "ndcg-code-true": f"{code['ndcg_true'].mean():.3f}",
        "list": str(len(drawn)),
        "changes": str(change.sum()),
        "output-change": f"{between[change].mean():.3f}",
        "output-same": f"{between[~change].mean():.3f}",
        "peaks-right": f"{right['peaks of the smoothed output']:.0%}",
        "largest-right": f"{right['largest class']:.0%}",
    }


def protocol(paper: Paper) -> pd.DataFrame:
    """What the text says, what the code of 2022 does, and what was run here."""
    settings = paper["settings"]
    rows = {
        "synthetic class standard deviation": "as the text; the code's range with the code's variant",
        "synthetic net": "as the text; the code's with the code's variant",
        "synthetic label noise": "as the text, and kept within the classes, and as the code",
        "synthetic data sets per point": str(DATA_SETS),
        "synthetic evaluation": "as the text; ten random queries with the code's variant",
    }
    table = [
        (item.removeprefix("synthetic "), settings.text(item, "paper"), settings.text(item, "code_2022"), ours)
        for item, ours in rows.items()
    ]
    steps = f"{STEPS:,} steps of {PAIRS} pairs; {LARGE_NET_STEPS} with the code's larger net"
    table += [
        ("training", "not stated", "20 passes, in all about 120,000 steps of 200 pairs", steps),
        ("cost", "r (1 − o)²", "(1 − o)², with a sigmoid output", "as the text; (1 − o)² with the code's variant"),
        ("features", "not stated", "normal with standard deviation 1/3, by quantiles", "standard deviation 1/3"),
    ]
    return pd.DataFrame(table, columns=["", "text", "code of 2022", "here"])


def left_open() -> pd.DataFrame:
    """NDCG@20 on the hardest data when one choice is changed.

    Examples
    --------
    >>> left_open()["changed"].iloc[-1]
    '15,000 steps'
    """
    table, usual = TRIALS["open"].read().table, grid("open")[0]
    rows = []
    for trial in grid("open"):
        words = {
            "documents": f"{trial.documents:,} training documents",
            "output": f"output activation {trial.output}",
            "initial": "initial weights uniform (Glorot and Bengio)",
            "steps": f"{trial.steps:,} steps",
        }
        title = "; ".join(text for name, text in words.items() if getattr(trial, name) != getattr(usual, name))
        first = f"as everywhere: {usual.documents:,} documents, tanh, normal initial weights, {usual.steps:,} steps"
        here = table[np.logical_and.reduce([table[name] == getattr(trial, name) for name in words])]
        rows.append((title or first, _with_error(here["ndcg"]), f"{here['best'].mean():.3f}"))
    return pd.DataFrame(rows, columns=["changed", "NDCG@20", "best possible"])


def wrong_labels(paper: Paper) -> pd.DataFrame:
    """Share of wrong labels at the two noise levels that the paper names.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> wrong_labels(load_paper("koppel2019"))["closed form"].tolist()[:2]
    ['4.6%', '50.5%']
    """
    kinds = {
        "rounded": (Noise(0.0), "text", "open"),
        "rounded, kept within the classes": (Noise(0.0, limits="classes"), "text", "classes"),
        "truncated, kept within the classes (code of 2022)": (Noise(0.0, "truncated", "classes"), "code2022", "open"),
    }
    table, rows = TRIALS["noise"].read().table, []
    for title, (noise, variant, limits) in kinds.items():
        alike = table[(table["variant"] == variant) & (table["limits"] == limits)]
        for size in ("small", "large"):
            sigma = paper.statement(f"noise-{size}-sigma")
            share = Noise(sigma.value, noise.rounding, noise.limits).changed(5)
            simulated = alike[alike["sigma"] == sigma.value]["wrong"].mean()
            published = str(paper.statement(f"noise-{size}")) if title == "rounded" else ""
            rows.append((f"{title}, σ = {sigma}", published, f"{share:.1%}", f"{simulated:.1%}"))
    return pd.DataFrame(rows, columns=["label", "published", "closed form", "recorded"])


def accuracies() -> pd.DataFrame:
    """How well thresholds and a plain classifier find the classes: one row per method."""
    table = THRESHOLDS.read().table
    short = {"synthetic": "synthetic", "mslr graded": "MSLR, five grades", "mslr binarised": "MSLR, binarised"}
    rows = []
    for method, of_method in table.groupby("method", sort=False):
        row = {"method": str(method)}
        for panel, words in short.items():
            values = of_method[of_method["panel"] == panel]
            row[f"{words}: accuracy"] = _with_error(values["accuracy"]) if len(values) else "–"
            # The classes of the synthetic test part are equally large: both shares are the same.
            if panel != "synthetic":
                row[f"{words}: mean over classes"] = _with_error(values["balanced"]) if len(values) else "–"
        rows.append(row)
    return pd.DataFrame(rows)


def rare() -> pd.DataFrame:
    """The test with a rare class: one row per share.

    Examples
    --------
    >>> rare()["share of the rare class"].tolist()
    ['50%', '10%', '1%']
    """
    rows = []
    for share, of_share in RARE.read().table.groupby("share", sort=False):
        row = {"share of the rare class": f"{share:.0%}"}
        for value, words in (("auc", "area under ROC"), ("balanced", "mean accuracy")):
            for method, values in of_share.groupby("method", sort=False):
                row[f"{words}: {method}"] = _with_error(values[value])
        rows.append(row)
    return pd.DataFrame(rows)


def live(axis: str, table: pd.DataFrame) -> pd.DataFrame:
    """Live trials, summarised, beside the record's values of the same trials.

    Examples
    --------
    >>> table = TRIALS["size"].read().table
    >>> live("size", table)["documents"].tolist()[:3]
    ['100', '316', '1,000']
    """
    name, record = AXES[axis][0], TRIALS[axis].read().table
    same = [column for column in record.columns[:10] if column != "seed"]
    merged = table.merge(record, on=[*same, "seed"], how="left", suffixes=("", "_recorded"))
    rows = []
    for value in sorted(set(merged[name].tolist())):
        of_point = merged[merged[name] == value]
        before = of_point["ndcg_recorded"]
        rows.append(
            (
                _plain(value),
                _with_error(of_point["ndcg"]) if len(of_point) > 1 else f"{of_point['ndcg'].mean():.3f}",
                f"{of_point['best'].mean():.3f}",
                f"{of_point['chance'].mean():.3f}",
                f"{before.mean():.3f}" if before.notna().all() else "–",
            )
        )
    columns = [name, "NDCG@20", "best possible", "random order", "the same trials as recorded"]
    return pd.DataFrame(rows, columns=columns)


def live_numbers(axis: str, table: pd.DataFrame) -> dict[str, str]:
    """Numbers of the live run, for the prose and for sweeps.

    Examples
    --------
    >>> table = TRIALS["size"].read().table
    >>> live_numbers("size", table[table["features"] == 70])["live-words"]
    '10 points of the size axis, with 5 data sets each'
    """
    name = AXES[axis][0]
    points = summary(table, [name])
    first, last = points.iloc[0], points.iloc[-1]
    return {
        "live-words": f"{len(points)} points of the {axis} axis, with {len(table) // len(points)} data sets each",
        "live-first": f"{first['ndcg']:.4f}",
        "live-last": f"{last['ndcg']:.4f}",
        "live-change": f"{last['ndcg'] - first['ndcg']:.4f}",
    }


def run_here() -> str:
    """Which points of the figures were run, and what that took, in Markdown.

    Examples
    --------
    >>> "2 to 19 (18 points)" in run_here()
    True
    """
    lines = [
        "The points follow the authors' code of 2022, except that it adds 99 to each number of documents, "
        "and the two noise levels that the text names:",
        "",
    ]
    for axis, (name, _) in AXES.items():
        columns = {"noise": ["variant", "limits"], "features": ["classes"]}
        table, by = TRIALS[axis].read().table, columns.get(axis, ["features"])
        parts = []
        for key, rows in table.groupby(by, sort=False):
            values = sorted(set(rows[name]))
            points = f"{_plain(values[0])} to {_plain(values[-1])} ({len(values)} points)"
            parts.append(f"{points}, {_line(key, by[0])}, {rows['seed'].nunique()} data sets each")
        minutes = table["seconds"].sum() / 60
        lines.append(f"- **{axis}**: {'; '.join(parts)}. {len(table)} trainings of {minutes:.1f} minutes in all.")
    return "\n".join(lines)


def _plain(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _line(key: tuple[object, ...], column: str) -> str:
    """Which line of a figure, in words."""
    if len(key) == 1:
        return f"{key[0]} {column}"
    variant, limits = map(str, key)
    rule = "rounded" if limits == "open" else "rounded, kept within the classes"
    return "code of 2022" if variant == "code2022" else rule
