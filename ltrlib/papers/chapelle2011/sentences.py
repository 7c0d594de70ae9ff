"""The sentences of the paper that claims judge, by a short name: a few words of each, and a hash of the whole."""

from __future__ import annotations

from ltrlib.claims.words import Sentence

__all__ = ["SAID"]

_TEXT = "chapelle2011-yahoo"

SAID = {
    name: Sentence(_TEXT, section, words, digest)
    for name, section, words, digest in (
        (
            "small-differences",
            "Section 1",
            "differences in accuracy between the winners were very small",
            "f8c8a8d0c0c6",
        ),
        ("letor-smaller", "Section 3", "orders of magnitude smaller", "59807db5a487"),
        ("no-significance", "Section 3", "precludes any statistically significant difference", "56f0827b7dd3"),
        ("fewer-features", "Section 3", "number of features and relevance levels is lower", "bca183b1876c"),
        ("labels", "Section 4.1", "distribution of the relevance labels", "23a665b3c293"),
        ("few-perfect", "Section 4.1", "there are very few", "204a795b9c84"),
        ("common-features", "Section 4.3", "415 features are defined on both", "cab8cc16cc58"),
        ("normalised", "Section 4.3", "through the inverse cumulative distribution", "8b9b297ade74"),
        ("per-day", "Section 5.2", "stable around 50 submissions", "cf7251ef443e"),
        ("kendall", "Section 5.3", "Kendall", "15588fbd17dd"),
        ("top-five", "Section 6.1", "each of the 5 top competitors", "7ad09718a974"),
        ("insignificant", "Section 6.1", "differences are not statistically significant", "4e4fcdfc521b"),
        ("track2", "Section 6.1", "even more pronounced on track 2", "c33fa1c65ad3"),
        ("oracle-higher", "Section 6.1", "substantially higher than those listed", "e47aa06f14c3"),
        ("all-winners", "Section 6.2", "all of them used decision trees", "394e166e0204"),
        ("winner-models", "Section 6.2", "used a linear combination of 12 ranking models", "51940606d2ec"),
        ("small-gap", "Section 6.3", "relevance gap is rather small", "8d53cbcc1559"),
        ("gains", "Section 6.3", "substantial gains can be obtained by designing a loss function", "9cab7b0b7ae5"),
        ("squared-loss", "Section 6.3", "squared loss optimization is sufficient", "54b19ea1b24a"),
        ("transfer", "Section 6.3", "able to clearly outperform the baseline", "6984ee7b3341"),
        ("top-winners", "Section 7", "relevance difference among the top winners is very small", "345f03ea24d7"),
    )
}
"""Sentences by name."""
