"""Speed and quality of the rankers on one MQ2008 fold, beside their peers in the same run, and how cost grows.

``ltrlib record busafekete2012/bench-peers busafekete2012/bench-growth`` measures the same for the book.
"""

from __future__ import annotations

from ltrlib.datasets import is_here
from ltrlib.papers.busafekete2012.rankers.records import METRIC
from ltrlib.papers.busafekete2012.rankers.speed import GROWING, beside_peers, growth_of, timed_rankers
from ltrlib.papers.busafekete2012.rankers.tables import RANKLIB, growth_exponents
from ltrlib.rankers.cross_validation import Fold, load_fold

__all__ = ["main"]


def show_peers(fold: Fold) -> None:
    """RankLib's default settings, each peer below the ranker that it matches."""
    print(f"{'':26}{'wall s':>8}{'CPU s':>8}{'test':>8}{'ratio':>8}   RankLib 2.10, given")
    for name in timed_rankers():
        low, high = (RANKLIB[name].seconds if name in RANKLIB else None) or (0, 0)
        ours, *others = beside_peers(fold, name).to_dict("records")
        wall = ours["wall_seconds"]
        given = f"{low}-{high} s: {low / wall:.0f}-{high / wall:.0f} times ours" if high else ""
        for row in (ours, *others):
            title = name if row is ours else f"  {row['program']}"
            ratio = "" if row is ours else f"{row['cpu_seconds'] / ours['cpu_seconds']:.1f}"
            times = f"{row['wall_seconds']:8.2f}{row['cpu_seconds']:8.2f}{row['ndcg']:8.4f}{ratio:>8}"
            print(f"{title:26}{times}   {given if row is ours else '':30}{row['note']}", flush=True)


def show_growth(fold: Fold) -> None:
    """Processor time for a fixed number of rounds while the number of queries doubles, and the exponent that fits."""
    for number, name in enumerate(GROWING):
        table = growth_of(name, fold)
        if number == 0:
            counts = "".join(f"{count:>10,}" for count in table["documents"])
            print(f"{'CPU s for documents':26}{counts}{'exponent':>10}")
        seconds = "".join(f"{second:10.3f}" for second in table["cpu_seconds"])
        print(f"{name:26}{seconds}{growth_exponents(table).iloc[0]:10.2f}", flush=True)


def main() -> None:
    """Print both tables."""
    name = "mq2008" if is_here("mq2008") else "standin/mq2008"
    fold = load_fold(name, 1)
    print(f"{name}, fold 1: {fold.train!r}; test: {METRIC}")
    if name.startswith("standin"):
        print("A stand-in, not the real data: times are comparable, values are not.")
    show_peers(fold)
    print()
    show_growth(fold)


if __name__ == "__main__":
    main()
