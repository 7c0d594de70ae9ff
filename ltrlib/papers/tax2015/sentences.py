"""The sentences of the paper that claims judge, by a short name: a few words of each, and a hash of the whole."""

from __future__ import annotations

from ltrlib.claims.words import Sentence

__all__ = ["SAID"]

SAID = {
    name: Sentence(text, section, words, digest)
    for text, said in {
        "tax2015-journal": (
            ("certainty", "Abstract", "gives insight in the degree of certainty concerning its", "7910ead870ab"),
            ("title-methods", "Abstract", "Evaluation results of 87 learning to rank methods on 20", "390ac94f8149"),
            ("front", "Abstract", "FSMRank, LRUF and LARF are Pareto optimal", "04334c19701b"),
            ("most-accurate", "Highlights", "are the most accurate, with increasing certainty", "d6e0887b8bdd"),
            ("algorithm-alone", "Section 2.1", "due to the ranking algorithm and not the features", "43924abf275b"),
            ("collections", "Section 2.1", "have accompanying papers that were released", "0b3f3d0bd59d"),
            ("collections-without", "Section 2.1", "not accompanied by a paper", "74defe3ca004"),
            ("excluded", "Section 2.1", "not usable for the meta-analysis", "49704a07cfee"),
            ("sources", "Section 2.1", "gives an overview of the learning to rank methods for which", "8f6552d7ca3a"),
            ("officially", "Section 2.1", "these algorithms are evaluated as official LETOR", "e4e36a5dc231"),
            ("winning", "Section 3", "that an algorithm can beat over the set of datasets", "3108cc24d504"),
            ("normalised", "Section 3", "the theoretically highest Winning Number", "ce8404f70860"),
            ("nwn", "Section 3", "formal definition of Normalized Winning Number", "5e214a6e0a2a"),
            ("definition", "Section 4", "no other method that has (1) a higher NWN", "fbe484662f31"),
            ("raw-nwn", "Section 4", "provides raw NWN data", "a3c67e4338b2"),
            ("perfect3", "Section 4.1", "beating all other algorithms on one dataset", "904619c7ccb5"),
            ("near-one", "Section 4.1", "near 1.0 on three of the LETOR 3.0 datasets", "d5eff160fe89"),
            ("descent3", "Section 4.1", "are ordered decreasingly by NWN", "9ca33e0e4872"),
            ("one-study", "Section 4.1", "evaluation results are all based on one study", "9daf96239b5a"),
            ("two-studies", "Section 4.1", "combined result from two studies", "709b8199593b"),
            ("official", "Section 4.1", "they were official LETOR baseline runs", "8b473efa706e"),
            ("perfect5", "Section 4.2", "again beat all other methods solely with results on the AOL", "7d2dab40f9df"),
            ("descent5", "Section 4.2", "score decreasingly well in terms of NWN", "6c67cce4a484"),
            ("agree5", "Section 4.2", "highly in agreement with the NDCG@3 comparison", "9e6a226d292a"),
            ("owpc", "Section 4.2", "no methods performing better on both axes in the NDCG@5", "1ed4329a3864"),
            ("perfect10", "Section 4.3", "LambdaMART and LambdaNeuralRank score a NWN of 1.0", "f5904ed002dc"),
            ("shared", "Section 4.3", "both include LARF, LRUF, FSMRank, SmoothRank, ListNet, RankSVM", "9bc6d1ecef51"),
            ("dcmp", "Section 4.3", "DCMP is not a Pareto optimal ranking method", "f621a23a73a8"),
            ("agreement", "Section 4.4", "highly in agreement on the Pareto optimal algorithms", "ead59c7195f7"),
            ("rankde", "Section 4.4", "RankDE scores a NWN of 1.0 on one dataset", "0019e2222e6e"),
            ("few", "Section 4.4", "but based on only few datasets", "0394bff3957d"),
            ("low-at-map", "Section 4.4", "Notable is the low performance of SmoothRank and ListNet", "70e7b4e815f1"),
            ("lac-mr-or", "Section 4.4", "obtained equal certainty to ListNet with a higher NWN", "1e471069f5ac"),
            ("smoothrank", "Section 4.4", "NWN of around 0.53 on 7 datasets", "d06c1d60e3fa"),
            ("re-qr-best", "Section 4.4", "RE-QR is one of the best performers in the MAP", "43a75d20e1db"),
            ("re-qr", "Section 4.4", "No reported NDCG performance was found", "2195ff54b0df"),
            ("not-top", "Section 4.4", "given their NWN it can said that both methods are not", "d6e4f1ac91de"),
            ("rank2-means", "Section 4.5", "exactly one algorithm having a higher value on both axes", "903c41ccf8ca"),
            ("unbeaten", "Section 4.5", "no other method superior to them in both IWN and NWN", "765d2ecfd977"),
            ("only-lruf", "Section 4.5", "the only method that achieved Pareto optimality in all NDCG", "4c1b28b1c29f"),
            ("by-ndcg", "Section 4.5", "highly defined by the NDCG performance", "79947977cb98"),
            ("weight", "Section 4.5", "up to three times as many weight", "a40e042d9913"),
            ("rank2", "Section 4.5", "are the Rank-2 Pareto optima", "a683644eb817"),
            ("larf", "Section 4.5", "LARF was also a Pareto optima", "a3919c7388a7"),
            ("near-perfect", "Section 4.5", "near-perfect NWN value, but have a low IWN", "67df5ca4b413"),
            ("best-at-map", "Section 4.5", "very good ranking accuracy in the MAP comparison", "75b60a681b9f"),
            ("off-front", "Section 4.5", "are not within the Pareto front of rankers", "c128e7a2c8e5"),
            ("scope", "Section 5", "We scope this sensitivity analysis", "5523e3839dcb"),
            ("table4", "Section 5.1", "when all evaluation measures are included in the computation", "06ea75092d37"),
            ("left-out", "Section 5.1", "FSMRank is not a Pareto optimal ranking method when MAP", "836091a767c4"),
            ("orders", "Section 5.1", "All other orderings of ranking methods", "8a97cea534d1"),
            ("map-change", "Section 5.1", "largest increase in IWN as well as the largest decrease", "950f93fc1106"),
            ("gain", "Section 5.1", "increased almost 0.1 when the MAP evaluation measure", "5bc510081869"),
            ("higher", "Section 5.1", "obtain an even higher NWN score when the MAP", "be865de31027"),
            ("datasets", "Section 5.2", "originating from eight data collections", "4073f42f9698"),
            ("figure6", "Section 5.2", "where one of the 20 datasets is not included", "81fc0d6c05eb"),
            ("unique", "Section 5.2", "number of unique observations", "390340647f26"),
            ("bags", "Section 5.2", "leftmost and the rightmost points of the bags", "85f95fce1909"),
            ("ratio", "Section 5.2", "the variance-to-mean ratio increases", "9e49c6c78a4c"),
            ("fewer", "Section 5.2", "lower than for the other Pareto optimal rankers", "d0fd62dd8c56"),
            ("iwn-studies", "Section 6", "IWN is loosely related with the number of studies", "1db4c330045c"),
            ("insight", "Section 7", "on which methods tend to perform better than others", "491606717ace"),
            ("conclusion", "Section 7", "were found to be the Pareto optimal", "4260d65f58fc"),
            ("conclusion-order", "Section 7", "From left to right, the ranking accuracy", "5625d0213f0a"),
            ("promising", "Section 7", "identifying promising learning to rank methods", "5b2bb3218b27"),
        ),
        "tax2015-preprint": (
            ("excluded-baselines", "Section 2.1", "higher performance on baseline methods", "a964186ab127"),
            ("iwn-variance", "Section 5.2", "On the IWN dimension it is notable", "953a1b94aa2a"),
        ),
    }.items()
    for name, section, words, digest in said
}
"""Sentences by name."""
