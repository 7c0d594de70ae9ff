"""Make the parameter files of the stand-ins, ``data/standins/*.json``.

MQ2008 is fitted to the real set, MSLR to the sample of it that is public with another package; MQ2007 and Yahoo! follow
published counts. Only parameters are written, never rows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ltrlib.across.standins.compare import measure_real, measure_standin
from ltrlib.datasets.container import concatenate
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import dataset
from ltrlib.datasets.standins.counts import FOLD_FILES, FOLD_SECTIONS, count_queries, label_model, spread_sizes
from ltrlib.datasets.standins.features import fit_features
from ltrlib.datasets.standins.recipe import write_recipe
from ltrlib.datasets.standins.yahoo import design_features
from ltrlib.errors import UsageError
from ltrlib.published import load_table

__all__ = ["fit", "make"]


def fit(name: str) -> dict[str, Any]:
    """Return the parameters of one stand-in, without the comparison.

    Parameters
    ----------
    name
        ``"mq2008"``, ``"mq2007"``, ``"mslr"``, ``"yahoo-set1"`` or ``"yahoo-set2"``.

    Examples
    --------
    >>> sorted(fit("mq2007")["sections"])
    ['S1', 'S2', 'S3', 'S4', 'S5']
    """
    if name not in _FITS:
        raise UsageError(f"there is no stand-in {name!r} to fit", cure=f"choose one of {', '.join(_FITS)}")
    return _FITS[name]()


def _mq2008() -> dict[str, Any]:
    sections = {section: load("mq2008", part) for section, part in FOLD_SECTIONS.items()}
    base = {
        "about": "Fitted to MQ2008, all five folds: counts of queries exact, features by a Gaussian copula.",
        "real": "mq2008",
        "n_features": 46,
        "normalised": True,
        "sections": {section: count_queries(data, 3) for section, data in sections.items()},
        "files": FOLD_FILES,
        "label_model": None,
    }
    # More types and a little more signal than plain label means: tuned until three simple rankers fare as on the
    # real set (see the comparison below).
    return fit_features(
        concatenate(list(sections.values())), base, types_per_label=(4, 3, 3), query_rank=8, doc_rank=24, signal=1.06
    )


def _mq2007() -> dict[str, Any]:
    counts = {section: _known("mq2007", part) for section, part in FOLD_SECTIONS.items()}
    # Most queries of that track had 40 documents judged; the smallest and the largest list are known, the rest is
    # assumed. So is the share of empty queries, and how the 17,991 relevant documents split into labels 1 and 2.
    sizes = {0.0: 6, 0.02: 20, 0.08: 36, 0.2: 39, 0.5: 40, 0.8: 41, 0.92: 46, 0.97: 60, 1.0: 147}
    return {
        "like": "mq2008",
        "about": (
            "Features as fitted to MQ2008, which has the same 46. Published: queries and documents per fold; 17,991 "
            "relevant documents and 6 to 147 documents per query (counted by the authors of ptranking). Assumed: the "
            "sizes between, the split into labels 1 and 2, the share of empty queries. No row of MQ2007 was seen."
        ),
        "real": "mq2007",
        # Weaker than in MQ2008: boosted trees then come near RankLib's LambdaMART on the real set.
        "signal": 0.92,
        "sections": {
            section: spread_sizes(sizes, queries=known.queries, rows=known.rows) for section, known in counts.items()
        },
        "label_model": label_model([51_632, 14_133, 3_858], alike=0.3, empty=0.12),
    }


def _mslr() -> dict[str, Any]:
    three, fourth, fifth = (_known("mslr-web10k", f"Fold1/{role}") for role in ("train", "vali", "test"))
    rows = [three.rows - 2 * (three.rows // 3), three.rows // 3, three.rows // 3, fourth.rows, fifth.rows]
    # Quantiles of the sample's 86 queries; 1 and 908 are commonly quoted as smallest and largest.
    sizes = {0.0: 1, 0.01: 8, 0.05: 28, 0.1: 45, 0.25: 77, 0.5: 112, 0.75: 148, 0.9: 205, 0.95: 245, 0.99: 380, 1: 908}
    labels = [three.labels[label] + fifth.labels[label] for label in range(5)]
    base = {
        "about": (
            "Features, and how labels cluster in queries, fitted to the first 5,000 rows of two files of MSLR-WEB10K "
            "(86 queries). Published: queries and documents per fold (the first three sections are taken as equal), "
            "label counts of Fold 1."
        ),
        "real": "mslr-web10k",
        "n_features": 136,
        "normalised": False,
        "sections": {
            section: spread_sizes(sizes, queries=2000, rows=n) for section, n in zip(FOLD_SECTIONS, rows, strict=True)
        },
        "files": FOLD_FILES,
        "label_model": label_model(labels, alike=0.25, empty=0.02),
    }
    # Between the sample, which would have a little more signal, and what larger rankers reach on all of MSLR-WEB10K.
    sample = concatenate([load("mslr-web10k-sample", part) for part in ("train", "test")])
    return fit_features(sample, base, types_per_label=(6, 5, 5, 3, 3), query_rank=6, doc_rank=24, signal=1.15)


def _yahoo(number: int) -> dict[str, Any]:
    # The smallest, the median and the largest list of Set 1 are published; Set 2 is taken to have the same shape.
    sizes = {0.0: 1, 0.02: 3, 0.05: 5, 0.1: 7, 0.25: 12, 0.5: 19, 0.75: 31, 0.9: 46, 0.95: 55, 0.99: 80}
    real = f"yahoo-set{number}"
    counts = {part: _known(real, part) for part in dataset(real).parts}
    # The columns of Table 3 are swapped: the counts of Set 1 fit the one that is headed Set 2.
    table = load_table("chapelle2011", "table3")
    shares = np.array([table.number(str(label), f"set{3 - number}").value for label in range(5)])
    return {
        "about": (
            "No row of the licensed data was seen. Published: queries, documents, label shares, numbers of features, "
            "normalisation by rank, documents per query of Set 1. Chosen: everything else, such that the paper's three "
            "baselines come in the same order with gaps of about the same size."
        ),
        "real": real,
        "n_features": 700,
        "normalised": False,
        "sections": {
            part: spread_sizes({**sizes, 1.0: largest}, queries=known.queries, rows=known.rows)
            for part, known in counts.items()
            for largest in [int(known.documents[2]) if known.documents else 139]
        },
        "files": {part: [part] for part in counts},
        "label_model": label_model(shares, alike=0.25, empty=0.018),
        **design_features(number, shares),
    }


def _known(name: str, part: str) -> Any:
    return dataset(name).part(part).expected


_FITS: dict[str, Callable[[], dict[str, Any]]] = {
    "mq2008": _mq2008,
    "mq2007": _mq2007,
    "mslr": _mslr,
    "yahoo-set1": lambda: _yahoo(1),
    "yahoo-set2": lambda: _yahoo(2),
}


def make(name: str) -> Path:
    """Fit a stand-in, compare it with the real data, and write its parameter file.

    Every result on the stand-in then changes; without the real data the file would lose its comparison.

    Parameters
    ----------
    name
        As for :func:`fit`.
    """
    parameters, full_name = fit(name), f"standin/{name}"
    write_recipe(full_name, parameters)
    other_seeds = 2 if "yahoo" in name else 5
    comparison = {
        "real": measure_real(full_name),
        "standin": measure_standin(full_name, other_seeds=other_seeds),
    }
    return write_recipe(full_name, {**parameters, "comparison": comparison})
