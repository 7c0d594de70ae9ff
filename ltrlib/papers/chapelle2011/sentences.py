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
        ("difficult", "Section 4.1", "typically the most difficult ones", "59e7ee1fe432"),
        ("relevant", "Table 1, caption", "only 2000 of them are relevant", "61d516daf504"),
        ("binary", "Section 4.2", "48 binary features", "dee6a7b2876f"),
        ("format", "Section 4.3", "same as in the SVM-light software", "01387920a1db"),
        ("pfound", "Section 5.1.1", "identical to the ERR variant", "6e0d64beaa94"),
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
        ("prizes", "Section 5.1.3", "cash prizes, summing up to", "195a560a7c49"),
        ("thousand-teams", "Section 1", "more than thousand teams registered", "e519d0f4fdfa"),
        ("sizes", "Section 1", "36k queries, 883k documents and 700 different features", "cec263e2f870"),
        ("documents", "Section 4.1", "average number of document per query is 24", "d82bc8fa66e1"),
        ("small-validation", "Section 4.3", "purposely kept it relatively small", "31d873c9a0d1"),
        ("small-training", "Section 4.3", "training part of SET 2 is also quite small", "d1c9304c33ee"),
        ("by-err", "Section 5.1.1", "submissions were ranked according to their ERR score", "719316450e47"),
        ("eight-hours", "Section 5.1.2", "not more than one submission every 8 hours", "a508bf792a7c"),
        ("teams", "Section 5.2", "1294 participants and 1055 teams registered", "22a143027f83"),
        ("single", "Section 5.2", "most teams were single participants", "d46db67418fe"),
        ("no-submission", "Section 5.2", "did not submit any entry", "474dd5e9839f"),
        ("tracks", "Section 5.2", "Track 1 turned out to be more popular", "5b854187b1d2"),
        ("page-views", "Section 5.2", "113,000 page views from 97 countries", "890d292d5193"),
        ("affiliations", "Section 5.2", "78% had an academic affiliation while 22% worked in industry", "b7782f38579e"),
        ("best-differ", "Section 5.3", "best submissions according to NDCG and ERR are not the same", "5d7d2d60af5b"),
        ("bump", "Section 5.3", "bump in the figure", "63df0efc8ce4"),
        ("tail", "Section 5.3", "quite a heavy tail on the left", "154c8eef6608"),
        ("late-lead", "Section 5.3", "able to secure the first place couple of days before", "709d00a058b4"),
        ("no-overfitting", "Section 5.3", "Most teams did not overfit during the challenge", "ab4b7de52b88"),
        ("ranked", "Section 6.1", "ranked each team based on the ERR score", "41c1ece61860"),
        ("promoted", "Section 6.1", "4th and 5th teams were promoted", "40451a75b834"),
        ("profile", "Section 6.1", "profile of the winners is quite diverse", "994cfb132277"),
        ("p-values", "Section 6.1", "values are listed in table 8", "6b02acaae1d8"),
        ("oracle", "Section 6.1", "would have an ERR score of 0.4972", "610e0799c5be"),
        ("worked-as-well", "Section 6.2", "simply adding the normalized model scores worked as well", "d28b84a6cdee"),
        ("bagboo", "Section 6.2", "better accuracies than bagging or boosting alone", "392d9ccd78fb"),
        ("secondary", "Section 6.3", "choice of the loss function is of secondary importance", "a7207a173548"),
    )
}
"""Sentences by name."""
