"""Presets against the installed tools themselves, on 1,000 random queries."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pytest
from numpy.typing import NDArray

from ltrlib.metrics import TOOLS, evaluate
from tests.helpers.metric_queries import Queries, random_queries

QUERIES = random_queries()
LAST_DIGITS = 1e-14
"""Room for another order of summation in double precision."""


def ours(text: str, queries: Queries = QUERIES) -> NDArray[np.float64]:
    result = evaluate(text, queries.labels, queries.scores, queries.offsets, doc_ids=queries.doc_ids)
    return result[text].per_query


def assert_close(text: str, theirs: NDArray[np.float64], tolerance: float = LAST_DIGITS) -> None:
    difference = np.abs(ours(text) - theirs)
    worst = int(np.argmax(difference))
    assert difference[worst] <= tolerance, f"{text}, query {worst}: {ours(text)[worst]} here, {theirs[worst]} there"


@pytest.mark.parametrize(
    ("tool", "package"),
    [
        ("lightgbm", "lightgbm"),
        ("xgboost", "xgboost-cpu"),
        ("xgboost-", "xgboost-cpu"),
        ("catboost", "catboost"),
        ("sklearn", "scikit-learn"),
        ("pytrec_eval", "pytrec-eval-terrier"),
        ("ir_measures", "ir-measures"),
        ("ranx", "ranx"),
        ("rax", "rax"),
    ],
)
def test_the_installed_version_is_the_one_that_the_preset_names(tool: str, package: str) -> None:
    """Another version may compute otherwise: check the preset against it, then change the version there."""
    assert TOOLS[tool].version == version(package)


def scores_of(query: int) -> NDArray[np.float64]:
    return QUERIES[query][1]


def test_the_random_queries_hold_all_hard_cases() -> None:
    sizes = QUERIES.sizes
    relevant = np.array([QUERIES[query][0].any() for query in range(len(QUERIES))])
    tied = np.array([np.unique(QUERIES[query][1]).size < sizes[query] for query in range(len(QUERIES))])
    single = np.array(
        [np.unique(scores.astype(np.float32)).size < np.unique(scores).size for scores in map(scores_of, range(1000))]
    )
    for kind in (~relevant, tied, single, sizes == 1, (sizes > 1) & (sizes < 10), sizes > 10):
        assert np.count_nonzero(kind) > 100


# Tools that only give means are asked for randomly weighted ones: wrong values cannot cancel out in all of them.
WEIGHTS = np.vstack([np.ones(len(QUERIES), int), np.random.default_rng(4).integers(1, 1000, (6, len(QUERIES)))])


def weighted_means(text: str, queries: Queries) -> NDArray[np.float64]:
    """Means as LightGBM and XGBoost weight them: in NDCG, a query without a relevant document counts as weight 1."""
    values = ours(text, queries)
    summed = WEIGHTS.copy()
    if text.startswith("ndcg"):
        empty = np.add.reduceat(queries.labels, queries.offsets[:-1]) == 0
        summed[:, empty] = 1
    means: NDArray[np.float64] = summed @ values / WEIGHTS.sum(axis=1)
    return means


def test_lightgbm() -> None:
    import lightgbm

    names = [f"{family}@{k}" for family in ("ndcg", "map") for k in (1, 3, 10, 100)]
    asked = {"objective": "lambdarank", "metric": "ndcg,map", "eval_at": [1, 3, 10, 100]}
    quiet = {"verbose": -1, "num_threads": 1}
    theirs = []
    for weights in WEIGHTS:
        data = lightgbm.Dataset(
            np.zeros((QUERIES.labels.size, 1)),
            label=QUERIES.labels,
            group=QUERIES.sizes,
            init_score=QUERIES.scores,
            weight=np.repeat(weights, QUERIES.sizes),
            params=quiet,
        )
        booster = lightgbm.Booster(asked | quiet, data)
        theirs.append({entry[1]: entry[2] for entry in booster.eval_train()})
    for name in names:
        means = weighted_means(f"{name}:lightgbm", QUERIES)
        assert np.abs(means - [values[name] for values in theirs]).max() <= LAST_DIGITS, name


def xgboost_means(queries: Queries, names: list[str]) -> list[dict[str, float]]:
    import xgboost

    found = []
    for weights in WEIGHTS:
        data = xgboost.DMatrix(
            np.zeros((queries.labels.size, 1)), label=queries.labels, base_margin=queries.scores, weight=weights
        )
        data.set_group(queries.sizes)
        parameters = {"objective": "rank:ndcg", "eval_metric": names, "nthread": 1, "base_score": 0.0}
        text = xgboost.train(parameters, data, num_boost_round=0).eval(data)
        found.append({name: float(value) for name, value in re.findall(r"eval-(\S+):(\S+)", text)})
    return found


@pytest.mark.parametrize("family", ["ndcg", "map", "pre"])
def test_xgboost(family: str) -> None:
    """With and without the minus; without a cut-off it cuts at 32. Its map and pre take binary labels only."""
    queries = QUERIES if family == "ndcg" else QUERIES.binary()
    theirs = {f"{family}@{k}": f"@{k}:xgboost" for k in (1, 3, 10)}
    theirs |= {f"{family}@{k}-": f"@{k}:xgboost-" for k in (1, 10)}
    if family != "pre":
        theirs[family] = ":xgboost"
    found = xgboost_means(queries, list(theirs))
    for name, rest in theirs.items():
        means = weighted_means(family.replace("pre", "p") + rest, queries)
        assert np.abs(means - [values[name] for values in found]).max() <= LAST_DIGITS, name


def test_catboost() -> None:
    from catboost.utils import eval_metric

    for text, name in {
        "ndcg@10:catboost": "NDCG:top=10",
        "ndcg:catboost": "NDCG",
        "ndcg@10:catboost(gain=exp2)": "NDCG:top=10;type=Exp",
        "ndcg@5:catboost(discount=reciprocal)": "NDCG:top=5;denominator=Position",
        "dcg@10:catboost": "DCG:top=10",
        "map@10:catboost": "MAP:top=10",
        "map:catboost": "MAP",
        "p@10:catboost": "PrecisionAt:top=10",
        "mrr:catboost": "MRR",
    }.items():
        labels = [QUERIES[query][0].astype(float) for query in range(len(QUERIES))]
        theirs = [
            eval_metric(labels[query], QUERIES[query][1], name, group_id=[0] * len(labels[query]), thread_count=1)[0]
            for query in range(len(QUERIES))
        ]
        assert_close(text, np.array(theirs))


@pytest.mark.parametrize(("family", "k"), [("ndcg", 3), ("ndcg", None), ("dcg", 10)])
def test_sklearn(family: str, k: int | None) -> None:
    """It refuses queries of one document; there NDCG can only be 1 or empty."""
    import sklearn.metrics

    function = getattr(sklearn.metrics, f"{family}_score")
    theirs = ours(text := f"{family}@{k}:sklearn" if k else f"{family}:sklearn").copy()
    for query in np.flatnonzero(QUERIES.sizes > 1):
        labels, scores, _ = QUERIES[int(query)]
        theirs[query] = function([labels], [scores], k=k)
    assert_close(text, theirs)


def trec_dicts(queries: Queries) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels, run = {}, {}
    for query in range(len(queries)):
        labels, scores, ids = queries[query]
        qrels[str(query)] = dict(zip(ids.tolist(), labels.tolist(), strict=True))
        run[str(query)] = dict(zip(ids.tolist(), scores.tolist(), strict=True))
    return qrels, run


TREC_MEASURES = {
    "ndcg": "ndcg",
    "ndcg@1": "ndcg_cut_1",
    "ndcg@10": "ndcg_cut_10",
    "map": "map",
    "map@3": "map_cut_3",
    "p@10": "P_10",
    "mrr": "recip_rank",
}


@pytest.mark.parametrize("tool", ["pytrec_eval", "trec_eval"])
def test_pytrec_eval(tool: str) -> None:
    """Which is the code of trec_eval 9, so that its preset must agree too."""
    import pytrec_eval

    qrels, run = trec_dicts(QUERIES)
    asked = {"ndcg", "ndcg_cut.1,10", "map", "map_cut.3", "P", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    for text, name in TREC_MEASURES.items():
        assert_close(f"{text}:{tool}", np.array([found[str(query)][name] for query in range(len(QUERIES))]))


def test_ir_measures() -> None:
    """RR with a cut-off comes from another provider, with another tie rule; gdeval prints five decimals."""
    import ir_measures

    qrels, run = trec_dicts(QUERIES)
    measures = {
        "ndcg:ir_measures": "nDCG",
        "ndcg@10:ir_measures": "nDCG@10",
        "map:ir_measures": "AP",
        "map@3:ir_measures": "AP@3",
        "p@10:ir_measures": "P@10",
        "mrr:ir_measures": "RR",
        "mrr@3:ir_measures": "RR@3",
        "err@10:ir_measures": "ERR@10",
        "ndcg@10:ir_measures(gain=exp2,precision=float64)": "nDCG(dcg='exp-log2')@10",
    }
    found: dict[str, dict[str, float]] = {}
    for value in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in measures.values()], qrels, run):
        found.setdefault(str(value.measure), {})[value.query_id] = value.value
    for text, name in measures.items():
        theirs = np.array([found[name][str(query)] for query in range(len(QUERIES))])
        assert_close(text, theirs, 0.5e-5 + 1e-12 if "err" in text or "exp2" in text else LAST_DIGITS)


RANX = {
    "ndcg@10:ranx": "ndcg@10",
    "ndcg@10:ranx(gain=exp2)": "ndcg_burges@10",
    "dcg@5:ranx": "dcg@5",
    "map:ranx": "map",
    "map@3:ranx": "map@3",
    "p@10:ranx": "precision@10",
    "mrr:ranx": "mrr",
    "mrr@3:ranx": "mrr@3",
}
RANX_PROGRAM = """
import json, sys
import ranx
qrels, run, metrics = json.load(sys.stdin)
qrels, run = ranx.Qrels(qrels), ranx.Run(run)
found = {name: ranx.evaluate(qrels, run, name, return_mean=False).tolist() for name in metrics}
json.dump([list(run.keys()), found], sys.stdout)
"""


def test_ranx() -> None:
    """Lists of at most 15 documents: longer ones it sorts unstably, with ties in no order that one could declare.

    Its numba code takes more than a minute to compile, so it runs uncompiled, which sorts short lists alike. Set
    LTRLIB_RANX_COMPILED=1 to compile it.
    """
    import json

    queries = random_queries(longest=15)
    environment = dict(os.environ)
    if not environment.get("LTRLIB_RANX_COMPILED"):
        # NumPy's vectorised sorting is unstable in short lists too; the plain one, like numba's, is not.
        environment |= {"NUMBA_DISABLE_JIT": "1", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
    program = [sys.executable, "-W", "ignore", "-c", RANX_PROGRAM]
    given = json.dumps([*trec_dicts(queries), list(RANX.values())])
    ran = subprocess.run(program, input=given, capture_output=True, text=True, env=environment, check=True)
    ids, found = json.loads(ran.stdout)
    for text, name in RANX.items():
        difference = np.abs(ours(text, queries)[[int(query) for query in ids]] - found[name])
        assert difference.max() <= LAST_DIGITS, text


@pytest.mark.parametrize("k", [3, 10, None])
def test_rax(k: int | None) -> None:
    """It computes in float32: 2^-24 times a few."""
    import jax.numpy as jnp
    import rax  # type: ignore[import-untyped]

    shape = (len(QUERIES), int(QUERIES.sizes.max()))
    where = np.arange(shape[1]) < QUERIES.sizes[:, None]
    labels, scores = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    labels[where], scores[where] = QUERIES.labels, QUERIES.scores
    for family, function in (
        ("ndcg", rax.ndcg_metric),
        ("dcg", rax.dcg_metric),
        ("map", rax.ap_metric),
        ("p", rax.precision_metric),
        ("mrr", rax.mrr_metric),
    ):
        text = f"{family}@{k}:rax" if k else f"{family}:rax"
        theirs = function(jnp.array(scores), jnp.array(labels), where=jnp.array(where), topn=k, reduce_fn=None)
        scale = max(1.0, float(ours(text).max()))
        assert_close(text, np.asarray(theirs, np.float64), 4e-7 * scale)
