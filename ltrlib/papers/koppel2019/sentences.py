"""The sentences of the paper that claims judge, by a short name: a few words of each, and a hash of the whole."""

from __future__ import annotations

from ltrlib.claims.words import Sentence

__all__ = ["SAID"]

_TEXT = "koppel2019-directranker"

SAID = {
    name: Sentence(_TEXT, section, words, digest)
    for name, section, words, digest in (
        ("outperforms", "Abstract", "outperforms numerous state-of-the-art methods", "c5bebc6fde1d"),
        ("order", "Abstract", "our model is reflexive, antisymmetric, and transitive", "28b23ee8b175"),
        ("enhanced", "Section 1", "significantly enhanced performance", "6de612da2380"),
        ("lambdamart-better", "Section 2", "usually outperformed by LambdaMART", "a9575611dfa9"),
        ("lambdamart-slower", "Section 2", "computationally more demanding to train", "0b7e88f63d3c"),
        ("theorem1", "Section 3", "returning values", "2c59f7c174e2"),
        ("theorem3", "Section 3", "the DirectRanker can approximate a function that represents", "6648c42edac8"),
        ("theorem2", "Section 3, Theorem 2", "For every countable feature space", "5eeb945591b4"),
        ("theorem4", "Section 3, Theorem 4", "are open for all", "d68fc2edef3c"),
        ("ranknet", "Section 3", "generalization of the RankNet model", "5ae160d0e980"),
        ("chosen-identity", "Section 3", "from now on choose the activation function to be", "468a716d5b7f"),
        ("identity", "Section 3", "without loss of generality", "7281c106f72b"),
        ("mslr-queries", "Section 4.3", "consists of 10,000 queries", "51cd3b506888"),
        ("mslr-features", "Section 4.3", "characterized by 136 numerical features", "855b3f21f8b1"),
        ("mslr-labels", "Section 4.3", "relevance labels from 0", "08dc5d132f2c"),
        ("mq-shape", "Section 4.3", "labels range from 0 to 2 and each document consists of 46", "19f5bcaceed2"),
        ("grid", "Section 4.4", "One grid search was done to optimize the NDCG@10", "9d531b0a78d9"),
        ("normal", "Section 4.4", "features are following a normal distribution", "70c1f8023330"),
        ("same-method", "Section 4.4", "trained and tested with the same method", "270d29a00885"),
        ("synthetic", "Section 4.5", "random mean between 0 and 100", "fb2f79610bf1"),
        ("rounding", "Section 4.5", "rounding to the next integer", "d62d37f6ee33"),
        ("mq-insignificant", "Section 5.1", "the differences between the models are insignificant", "0df9f0673c23"),
        ("mslr-differs", "Section 5.1", "differ significantly", "58a974c3f40f"),
        ("lambdamart-ndcg", "Section 5.1", "LambdaMart outperforms the DirectRanker by 7.2", "28c1e785a715"),
        ("lambdamart-map", "Section 5.1", "the difference is only 0.2", "93eeb7f1c3b5"),
        ("all-others", "Section 5.1", "outperforms all other methods by at least", "a2bae081861d"),
        ("fastest", "Section 5.1", "training time beats all the other models", "be42f36406de"),
        ("same-order", "Section 5.1", "of the same order", "122f11ec912b"),
        ("classes", "Section 5.2", "the performance decreases with the number of relevance classes", "bb7012d9595b"),
        ("counteracted", "Section 5.2", "counteracted by increasing the size of the training set", "798dd88996cc"),
        ("small-noise", "Section 5.2", "approximately 5% mislabeling", "5ca4130ef84b"),
        ("large-noise", "Section 5.2", "does not drop below 0.80", "496bb79d0b04"),
        ("peaks", "Section 5.3", "output peaks at the locations", "59e16add1068"),
        ("peaks-mslr", "Section 5.3", "observe the peaks in the ranker output separating", "1c660f189d56"),
        ("peaks-binarised", "Section 5.3", "even in the binarized case the peaks separate", "207144955fdf"),
        ("rare", "Section 5.3", "could be an advantage in datasets with little occurrence", "505276ade322"),
        ("degrade", "Section 6", "how the performance can degrade when given more", "3625ca478823"),
        ("compensated", "Section 6", "the loss of performance can be compensated", "89e317958689"),
        ("es-rank", "Section 6", "match or outperform the performance of more recent", "e35faf40f857"),
    )
}
"""Sentences by name."""
