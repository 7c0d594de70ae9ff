"""Reconstruction: small puzzles by hand and by brute force, exact counts, and what the independent checker refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.comparison.reconstruct.check import check_orders, check_presence
from ltrlib.comparison.reconstruct.counting import presence_space
from ltrlib.comparison.reconstruct.orders import sample_orders
from ltrlib.comparison.reconstruct.presence import count_presences, forced_cells, solve_presence
from ltrlib.comparison.reconstruct.puzzle import PresencePuzzle
from ltrlib.comparison.reconstruct.whole_numbers import integer_splits
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import UsageError

# --- whole numbers behind quotients


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=3), st.integers(2, 4))
def test_splits_are_exactly_those_that_print_alike(pairs: list[tuple[int, int]], digits: int) -> None:
    pairs = [(min(wins, possible), possible) for wins, possible in pairs]
    printed = {f"m{i}": f"{wins / possible:.{digits}f}" for i, (wins, possible) in enumerate(pairs)}
    wn, iwn = sum(wins for wins, _ in pairs), sum(possible for _, possible in pairs)
    half = Fraction(1, 2 * 10**digits)
    fitting = [
        [(w, i) for i in range(1, iwn + 1) for w in range(i + 1) if abs(Fraction(w, i) - Fraction(text)) <= half]
        for text in printed.values()
    ]
    expected = [
        choice for choice in product(*fitting) if (sum(w for w, _ in choice), sum(i for _, i in choice)) == (wn, iwn)
    ]
    assert tuple(pairs) in expected
    assert sorted(tuple(split.values()) for split in integer_splits(printed, wn=wn, iwn=iwn)) == sorted(expected)


# --- who has results where


def results(seed: int, n_methods: int, n_datasets: int) -> pd.DataFrame:
    """Random sparse results in two metrics, of which only winning numbers will be shown; no method is alone."""
    random = np.random.default_rng(seed)
    rows = [
        (f"m{m}", f"d{d}", metric, random.integers(0, 40) / 40)
        for m in range(n_methods)
        for d in range(n_datasets)
        for metric in ("MAP", "NDCG@5")
        if random.random() < 0.6
    ]
    table = pd.DataFrame(rows, columns=["method", "dataset", "metric", "value"])
    return table[table.groupby(["metric", "dataset"])["method"].transform("size") > 1]


def puzzle_of(hidden: pd.DataFrame) -> PresencePuzzle:
    winning = winning_numbers(hidden)
    targets = winning[winning["metric"] != "all"].assign(option=0)
    sizes = hidden.groupby(["metric", "dataset"], as_index=False).size().rename(columns={"size": "methods"})
    return PresencePuzzle(targets[["method", "option", "metric", "iwn", "datasets"]], sizes)


def all_presences(puzzle: PresencePuzzle) -> Iterator[frozenset[tuple[str, str, str]]]:
    """Every choice of data sets for every row that gives all its numbers and all sizes, by trying them all."""
    size = {(str(row.metric), str(row.dataset)): int(str(row.methods)) for row in puzzle.sizes.itertuples()}
    choices = []
    for row in puzzle.targets.itertuples():
        here = [key for key in size if key[0] == str(row.metric)]
        chosen = combinations(here, int(str(row.datasets)))
        choices.append(
            [
                [(str(row.method), metric, dataset) for metric, dataset in some]
                for some in chosen
                if sum(size[key] - 1 for key in some) == row.iwn
            ]
        )
    for some in product(*choices):
        cells = frozenset(cell for part in some for cell in part)
        if all(sum(cell[1:] == key for cell in cells) == number for key, number in size.items()):
            yield cells


@pytest.mark.parametrize("seed", range(6))
def test_presence_counts_and_forced_cells_equal_brute_force(seed: int) -> None:
    puzzle = puzzle_of(results(seed, n_methods=4, n_datasets=3))
    every = list(all_presences(puzzle))
    found = solve_presence(puzzle, seconds=20)
    assert frozenset(found.cells.itertuples(index=False, name=None)) in every
    assert (found.released, found.proved) == (frozenset(), True)
    assert count_presences(puzzle, seconds=20) == (len(every), True)
    fewest = min(len({(cell[0], cell[2]) for cell in cells}) for cells in every)
    assert len(found.cells.drop_duplicates(["method", "dataset"])) == fewest
    for row in forced_cells(puzzle, seconds=20).itertuples():
        values = {(row.method, row.metric, row.dataset) in cells for cells in every}
        assert row.status == ("varies" if len(values) == 2 else "always" if values == {True} else "never")


def test_a_row_that_cannot_be_right_is_released_and_named() -> None:
    hidden = results(1, n_methods=5, n_datasets=4)
    puzzle = puzzle_of(hidden)
    wrong = puzzle.targets.copy()
    wrong.loc[wrong.index[3], "iwn"] += 1
    found = solve_presence(PresencePuzzle(wrong, puzzle.sizes), seconds=20)
    # The sum of IWN is odd now. Some one row must go; which one is not always decided.
    assert len(found.released) == 1
    assert found.proved


def test_facts_and_likeness_bind() -> None:
    targets = pd.DataFrame({"method": list("ABCD"), "option": 0, "metric": "MAP", "iwn": 1, "datasets": 1})
    sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [2, 2]})
    facts = pd.DataFrame({"method": ["A"], "metric": "MAP", "dataset": "d", "present": True})
    assert count_presences(PresencePuzzle(targets, sizes)) == (6, True)
    assert count_presences(PresencePuzzle(targets, sizes, facts)) == (3, True)
    alike = [frozenset("AB")]
    assert count_presences(PresencePuzzle(targets, sizes, facts, alike)) == (1, True)
    elsewhere = facts.assign(dataset="f")
    with pytest.raises(UsageError, match="A cannot have a result in MAP on f"):
        solve_presence(PresencePuzzle(targets, sizes, elsewhere))
    contradiction = pd.concat([facts, facts.assign(present=False)])
    with pytest.raises(UsageError, match="no presence fits the sizes and facts"):
        solve_presence(PresencePuzzle(targets, sizes, contradiction), seconds=10)


# --- counting


def one_metric(seed: int) -> PresencePuzzle:
    hidden = results(seed, n_methods=5, n_datasets=3)
    return puzzle_of(hidden[hidden["metric"] == "MAP"])


@pytest.mark.parametrize("seed", range(12))
def test_counts_and_shares_equal_brute_force(seed: int) -> None:
    puzzle = one_metric(seed)
    every = list(all_presences(puzzle))
    space = presence_space(puzzle)
    assert space.count == len(every)
    for row in space.shares().itertuples():
        having = sum((row.method, row.metric, row.dataset) in cells for cells in every)
        assert row.share == pytest.approx(having / len(every))


def test_a_released_row_takes_what_is_left() -> None:
    """As by brute force with the row's demand dropped: any presence of the others whose places it can fill."""
    for seed in range(6):
        puzzle = one_metric(seed)
        method = str(puzzle.targets["method"].iloc[0])
        sizes = dict(zip(puzzle.sizes["dataset"], puzzle.sizes["methods"], strict=True))
        others = replace(puzzle, targets=puzzle.targets[puzzle.targets["method"] != method])
        number = 0
        for smaller in _one_less_or_equal(sizes):
            # The sizes of the others decide the choices too, so they must see the true ones: count by hand.
            number += _fillings(others, sizes, smaller)
        assert presence_space(replace(puzzle, released=frozenset({(method, "MAP")}))).count == number


def _one_less_or_equal(sizes: dict[str, int]) -> list[dict[str, int]]:
    found = [dict(sizes)]
    for name in sizes:
        found += [one | {name: one[name] - 1} for one in found]
    return found


def _fillings(puzzle: PresencePuzzle, sizes: dict[str, int], places: dict[str, int]) -> int:
    states = Counter({tuple(places.values()): 1})
    for _, iwn, datasets in puzzle.targets[["method", "iwn", "datasets"]].itertuples(index=False):
        following: Counter[tuple[int, ...]] = Counter()
        for state, ways in states.items():
            for chosen in np.ndindex(*(2,) * len(sizes)):
                comparisons = sum((size - 1) * c for size, c in zip(sizes.values(), chosen, strict=True))
                if sum(chosen) == datasets and comparisons == iwn:
                    following[tuple(s - c for s, c in zip(state, chosen, strict=True))] += ways
        states = following
    return states[(0,) * len(sizes)]


def test_draws_are_solutions_and_evenly_spread() -> None:
    targets = pd.DataFrame({"method": list("ABCD"), "option": 0, "metric": "MAP", "iwn": 1, "datasets": 1})
    sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [2, 2]})
    space = presence_space(PresencePuzzle(targets, sizes))
    random = np.random.default_rng(0)
    drawn = Counter(frozenset(space.draw(random).itertuples(index=False, name=None)) for _ in range(600))
    assert len(drawn) == 6
    assert min(drawn.values()) > 60


def test_facts_likeness_and_options_bind_the_count() -> None:
    targets = pd.DataFrame({"method": list("ABCD"), "option": 0, "metric": "MAP", "iwn": 1, "datasets": 1})
    sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [2, 2]})
    facts = pd.DataFrame({"method": ["A"], "metric": "MAP", "dataset": "d", "present": True})
    assert presence_space(PresencePuzzle(targets, sizes, facts)).count == 3
    assert presence_space(PresencePuzzle(targets, sizes, facts.assign(present=False))).count == 3
    assert presence_space(PresencePuzzle(targets, sizes, facts, [frozenset("AB")])).count == 1
    # Another option, on no data set at all, fits none here: the places would stay empty.
    more = pd.concat([targets, targets.assign(option=1, iwn=0, datasets=0)])
    assert presence_space(PresencePuzzle(more, sizes)).count == 6
    impossible = presence_space(PresencePuzzle(targets.assign(iwn=5), sizes))
    assert impossible.count == 0
    with pytest.raises(UsageError, match="no solution to draw"):
        impossible.draw(np.random.default_rng(0))
    with pytest.raises(UsageError, match="no solution, so no share"):
        impossible.shares()
    with pytest.raises(UsageError, match="2 metrics and 0 released rows"):
        presence_space(PresencePuzzle(pd.concat([targets, targets.assign(metric="P@5")]), sizes))


# --- orders


def order_puzzle(hidden: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    winning = winning_numbers(hidden)
    winning = winning[winning["metric"] == "all"]
    targets = pd.DataFrame({"method": winning["method"], "lowest_wn": winning["wn"], "highest_wn": winning["wn"]})
    return targets, hidden[["method", "dataset"]]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_sampled_orders_give_every_winning_number(seed: int) -> None:
    hidden = results(seed, n_methods=8, n_datasets=5)
    hidden = hidden[hidden["metric"] == "MAP"]
    # Distinct values: then ties cannot come in threes, which the sampler does not make.
    hidden["value"] = np.random.default_rng(seed).permutation(len(hidden)) / len(hidden)
    targets, presence = order_puzzle(hidden)
    drawn = sample_orders(targets, presence, samples=2, seed=seed, steps=400_000)
    for _, sample in drawn.groupby("sample"):
        for _, part in sample.groupby("dataset"):
            assert sorted(part["wins"]) == list(range(len(part)))
        wins = sample.groupby("method")["wins"].sum()
        assert wins.to_dict() == dict(zip(targets["method"], targets["lowest_wn"], strict=True))


def test_samples_differ_but_repeat_with_their_seed_and_honour_known_orders() -> None:
    names = [f"m{i}" for i in range(6)]
    presence = pd.DataFrame([(name, d) for name in names for d in "xyz"], columns=["method", "dataset"])
    targets = pd.DataFrame({"method": names, "lowest_wn": 7, "highest_wn": 7})
    known = pd.DataFrame({"dataset": ["x", "y"], "better": ["m0", "m1"], "worse": ["m5", "m0"]})
    drawn = sample_orders(targets, presence, known_orders=known, samples=20, seed=3, steps=200_000)
    again = sample_orders(targets, presence, known_orders=known, samples=20, seed=3, steps=200_000)
    pd.testing.assert_frame_equal(drawn, again)
    wins = drawn.set_index(["sample", "dataset", "method"])["wins"]
    assert len({tuple(sample) for _, sample in wins.groupby("sample")}) > 15
    # 6 methods with 7 wins each are 42 of 45 pairs: three ties in each sample.
    assert (wins.groupby("sample").sum() == 42).all()
    for sample in range(20):
        assert wins[sample, "x", "m0"] > wins[sample, "x", "m5"]
        assert wins[sample, "y", "m1"] > wins[sample, "y", "m0"]


def test_every_order_of_a_small_puzzle_is_drawn() -> None:
    """Three methods, two data sets, two wins each: any of six orders on one, and its reverse on the other."""
    presence = pd.DataFrame([(m, d) for m in "ABC" for d in "xy"], columns=["method", "dataset"])
    targets = pd.DataFrame({"method": list("ABC"), "lowest_wn": 2, "highest_wn": 2})
    drawn = sample_orders(targets, presence, samples=300, seed=0, steps=2_000)
    wins = drawn.pivot_table(index="sample", columns=["dataset", "method"], values="wins")
    seen = wins.value_counts()
    assert len(seen) == 6
    assert seen.min() > 25


def test_impossible_orders_are_refused() -> None:
    presence = pd.DataFrame({"method": ["A", "B"], "dataset": "x"})
    targets = pd.DataFrame({"method": ["A", "B"], "lowest_wn": [1, 1], "highest_wn": [1, 1]})
    with pytest.raises(UsageError, match="2 wins do not fit into 1 comparisons"):
        sample_orders(targets, presence, samples=1)
    three = pd.DataFrame({"method": list("ABC"), "dataset": "x"})
    no_wins = pd.DataFrame({"method": list("ABC"), "lowest_wn": 0, "highest_wn": 0})
    with pytest.raises(UsageError, match="more ties than pairs of neighbours"):
        sample_orders(no_wins, three, samples=1)
    known = pd.DataFrame({"dataset": ["x"], "better": ["A"], "worse": ["Z"]})
    with pytest.raises(UsageError, match="A or Z has no result on x"):
        sample_orders(targets, presence, known_orders=known, samples=1)
    both = pd.DataFrame({"dataset": "x", "better": ["A", "B"], "worse": ["B", "A"]})
    targets = targets.assign(lowest_wn=[1, 0], highest_wn=[1, 0])
    with pytest.raises(UsageError, match="no orders found"):
        sample_orders(targets, presence, known_orders=both, samples=1, steps=100)


# --- the checker

PUBLISHED = "method,metric,wn,iwn,datasets\nA,MAP,2,2,2\nB,MAP,0,1,1\nC,MAP,0,1,1\n"
PRESENCE = "method,metric,dataset\nA,MAP,x\nB,MAP,x\nA,MAP,y\nC,MAP,y\n"
ORDERS = "sample,metric,dataset,method,wins\n0,MAP,x,A,1\n0,MAP,x,B,0\n0,MAP,y,A,1\n0,MAP,y,C,0\n"
KNOWN = "metric,dataset,better,worse\nMAP,x,A,B\n"


def problems_of(files: dict[str, Path], excuse: Iterable[tuple[str, str]] = ()) -> list[str]:
    published, presence, orders, known = (files[name] for name in ("published", "presence", "orders", "known_orders"))
    return [
        *check_presence(published, presence, except_for=excuse),
        *check_orders(published, presence, orders, known_orders=known, except_for=excuse),
    ]


def write(folder: Path, **changes: str) -> dict[str, Path]:
    texts = {"published": PUBLISHED, "presence": PRESENCE, "orders": ORDERS, "known_orders": KNOWN, **changes}
    paths = {name: folder / f"{name}.csv" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    return paths


def test_the_checker_accepts_what_fits(tmp_path: Path) -> None:
    files = write(tmp_path)
    assert problems_of(files) == []
    folder = tmp_path / "orders"
    folder.mkdir()
    (folder / "000.csv").write_text(ORDERS.replace("sample,", "").replace("\n0,", "\n"))
    assert problems_of({**files, "orders": folder}) == []
    pd.read_csv(files["orders"]).to_parquet(tmp_path / "orders.parquet")
    assert problems_of({**files, "orders": tmp_path / "orders.parquet"}) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("presence", "C,MAP,y\n", ""), "C, MAP: 0 data sets instead of 1"),
        (("presence", "C,MAP,y", "C,MAP,x"), "B, MAP: IWN 2 instead of 1"),
        (("presence", "A,MAP,y", "A,MAP,x"), "A, MAP: a data set twice"),
        (("presence", "A,MAP,y", "Z,MAP,y"), "Z, MAP: not in the published table"),
        (("orders", "y,A,1", "y,A,0"), "A, MAP: WN 1 instead of 2"),
        (("orders", "x,B,0", "x,B,1"), "MAP, x: the wins are not those of an order"),
        (("orders", "0,MAP,y,C,0\n", ""), "its cells are not those of the presence"),
        (("known_orders", "A,B", "B,A"), "MAP, x: B is not above A"),
    ],
)
def test_the_checker_finds_every_kind_of_contradiction(
    tmp_path: Path, change: tuple[str, str, str], message: str
) -> None:
    texts = {"published": PUBLISHED, "presence": PRESENCE, "orders": ORDERS, "known_orders": KNOWN}
    name, old, new = change
    assert old in texts[name]
    problems = problems_of(write(tmp_path, **{name: texts[name].replace(old, new)}))
    assert any(message in problem for problem in problems), problems


def test_the_checker_excuses_only_what_it_is_told_to(tmp_path: Path) -> None:
    files = write(tmp_path, published=PUBLISHED.replace("A,MAP,2,2,2", "A,MAP,3,9,3"))
    assert len(problems_of(files)) == 3
    assert problems_of(files, excuse=[("A", "MAP")]) == []
    assert len(problems_of(files, excuse=[("B", "MAP")])) == 3
