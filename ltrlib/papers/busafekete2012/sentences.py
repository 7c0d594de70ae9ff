"""The sentences of the paper that claims judge, by a short name: a few words of each, and a hash of the whole."""

from __future__ import annotations

from ltrlib.claims.words import Sentence

__all__ = ["SAID"]

_TEXT = "busa-fekete2012"

SAID = {
    name: Sentence(_TEXT, section, words, digest)
    for name, section, words, digest in (
        ("groups", "Section 3", "three groups", "c483140663e1"),
        ("grades", "Section 3", "as relevance grades", "b97528154c50"),
        ("yahoo-alone", "Section 3", "is composed of the YAHOO tool alone", "abbadffcc613"),
        ("labels", "Section 3", "LETOR 4.0 tool can be used for up to three", "fb8cac9b5c20"),
        ("empty-zero", "Section 3", "they assign zero to a query where", "bfd127cdfb4c"),
        ("short-zero", "Section 3", "even if these documents are highly relevant", "859f8fc49077"),
        ("adarank", "Section 3", "does not influence the computation of the coefficient", "a31b0cbfff89"),
        ("sorting", "Section 3", "programing language dependent sorting", "15d058f64a52"),
        ("ties", "Section 5", "ties are rare", "080bcfbf99a4"),
        ("equivalent", "Section 5", "evaluation tools to be equivalent", "675e21a3d1ff"),
        ("figure1", "Section 5", "4 characteristic learning to rank algorithms", "658f5db3e02f"),
        ("higher", "Section 5", "on average around 0.25 higher", "251f096048fd"),
        ("solely", "Section 5", "This difference comes solely", "02ba0073c086"),
        ("degrade", "Section 5", "degrade rapidly", "b837898db96b"),
        ("training", "Section 5", "by no means irrelevant which metric was used during the training", "e1043b065c3e"),
        ("letor-worse", "Section 5", "worse performance for these algorithms", "e0f396f1534b"),
        ("slightly", "Section 5", "in some cases slightly better performance", "cdf3a03deeee"),
        ("best-metric", "Section 5", "equal or better learnt models", "bb8abc62b6ee"),
        ("learners", "Section 5", "6 different learning algorithms", "82bf4dc2ae46"),
        ("ascent", "Section 5", "slight advantage regardless which metric", "be3b903ca1d9"),
        ("close", "Section 5", "perform very close to each other", "2df02ccd2a97"),
        ("short-sets", "Section 5", "slight advantage over the other two", "e664d70d6c9e"),
        ("adarank-low", "Section 5", "unable to reproduce the competitive results", "5214e3acda51"),
        ("false-order", "Section 6", "false relative order", "5e71dfdc076e"),
        ("no-impact", "Section 6", "do not have an impact on evaluation", "2329d7795101"),
    )
}
"""Sentences by name."""
