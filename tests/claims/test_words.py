"""The words that are judged: each sentence that a claim names stands in the paper's text, and each cell in a table."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ltrlib.claims.claim import Claim
from ltrlib.claims.registry import claim, claims
from ltrlib.claims.words import Sentence, TableCells, digest, find_sentences, paper_texts, sentences, texts_of
from ltrlib.cli import main
from ltrlib.errors import ClaimError
from ltrlib.published import load_paper

needs_texts = pytest.mark.skipif(paper_texts() is None, reason="the papers' texts are not here (LTRLIB_PAPERS)")
ALL = claims()
WITH_WORDS = [(one, words) for one in ALL for words in one.words]


@needs_texts
@pytest.mark.parametrize(
    ("one", "words"),
    [pair for pair in WITH_WORDS if isinstance(pair[1], Sentence)],
    ids=[one.id for one, words in WITH_WORDS if isinstance(words, Sentence)],
)
def test_the_sentence_of_a_claim_stands_in_the_paper(one: Claim, words: Sentence) -> None:
    assert words.text in texts_of(one.paper), f"{words.text} is no text of {one.paper}"
    found = {digest(sentence) for sentence in find_sentences(words.text, words.words)}
    assert words.digest in found, f"no sentence with these words has this hash; it would be {found or 'none'}"


@pytest.mark.parametrize(
    ("one", "words"),
    [pair for pair in WITH_WORDS if isinstance(pair[1], TableCells)],
    ids=[one.id for one, words in WITH_WORDS if isinstance(words, TableCells)],
)
def test_the_cells_of_a_claim_stand_in_a_table(one: Claim, words: TableCells) -> None:
    table = load_paper(words.paper or one.paper)[words.table]
    row = words.row if words.row is not None else table.rows[0]
    table.text(row, words.column if words.column is not None else next(iter(table.header.columns)))


# --- how a sentence is found ---

TEXT = """Running head 12

Methods such as RankBoost (Freund et al. 2003) and AdaRank, e.g. those of Fig. 2, are not af-
fected by the choice of the evalu-

ation tool. We ﬁnd that "LambdaMART" has an NDCG of 0.25!
The next one, too.

A new paragraph without an end

Then another (A. Smith is its author). It ends here.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "some-one2012-first.txt").write_text(TEXT)
    (tmp_path / "someone2012-second.txt").write_text(TEXT.replace("0.25", "0.26"))
    (tmp_path / "other2013.txt").write_text("Nothing.")
    monkeypatch.setenv("LTRLIB_PAPERS", str(tmp_path))
    sentences.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> None:
    sentences.cache_clear()


def test_abbreviations_hyphens_page_ends_and_ligatures_do_not_end_or_change_a_sentence(folder: Path) -> None:
    found = sentences("some-one2012-first")
    (one,) = find_sentences("some-one2012-first", "not affected by the choice")
    assert one.startswith("Methods such as")
    assert one.endswith("the evaluation tool.")
    assert find_sentences("some-one2012-first", "we find THAT lambdamart") == [
        'We find that "LambdaMART" has an NDCG of 0.25!'
    ]
    assert found[-2:] == ("Then another (A. Smith is its author).", "It ends here.")


def test_a_sentence_with_another_number_has_another_hash(folder: Path) -> None:
    first, second = (find_sentences(text, "has an NDCG")[0] for text in ("some-one2012-first", "someone2012-second"))
    assert digest(first) != digest(second)


def test_the_texts_of_a_paper_are_found_by_its_key(folder: Path) -> None:
    assert texts_of("someone2012") == ["some-one2012-first", "someone2012-second"]
    assert texts_of("someone2012-second") == ["someone2012-second"]
    assert texts_of("nobody1999") == []


def test_the_command_prints_what_a_claim_needs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "words", "someone2012", "has an NDCG of"]) == 0
    shown = capsys.readouterr().out
    assert 'Sentence("some-one2012-first", "Section …", "has an NDCG of", "' in shown
    assert digest('We find that "LambdaMART" has an NDCG of 0.25!') in shown
    assert main(["claims", "words", "someone2012", "no such words"]) == 1
    assert main(["claims", "words", "nobody1999", "has an NDCG of"]) == 2
    assert "LTRLIB_PAPERS" in capsys.readouterr().err


def test_a_text_that_is_not_here_is_said(folder: Path) -> None:
    with pytest.raises(ClaimError, match="nobody1999 is not here"):
        sentences("nobody1999")


@pytest.mark.parametrize(
    ("words", "digest_", "complaint"),
    [
        ("", "0123456789ab", "words"),
        ("one two three four five six seven eight nine ten eleven twelve thirteen", "0123456789ab", "words"),
        ("few words", "0123", "not the hash"),
    ],
)
def test_a_dozen_words_at_most_and_a_real_hash(words: str, digest_: str, complaint: str) -> None:
    with pytest.raises(ClaimError, match=complaint):
        Sentence("tax2015-journal", "Section 1", words, digest_)


@needs_texts
def test_the_texts_that_are_here_have_whole_sentences() -> None:
    """A few long ones come from formulas and tables; a text in one piece would mean that nothing was split."""
    for paper in ("tax2015", "busafekete2012", "chapelle2011", "koppel2019"):
        assert texts_of(paper), (paper, os.environ.get("LTRLIB_PAPERS"))
        for text in texts_of(paper):
            lengths = sorted(len(sentence.split()) for sentence in sentences(text))
            assert 8 < lengths[len(lengths) // 2] < 40, text


def test_every_claim_names_its_words() -> None:
    assert not [one.id for one in ALL if not one.words]


def test_what_another_publication_printed_is_not_laid_at_the_papers_door() -> None:
    """Official baselines and Liu's winning numbers are cells of others; whoever they judge is said in the claim."""
    elsewhere = {one.id: one.judges for one in ALL if one.judges != one.paper}
    assert set(elsewhere.values()) == {"letor4", "liu2011"}
    assert all(".letor4." in name for name, judged in elsewhere.items() if judged == "letor4")
    assert elsewhere["tax2015.letor3.td2003"] == "liu2011"
    assert "tax2015.letor3.wins" not in elsewhere, "Section 3 takes the definition over"
    assert all(one.as_dict()["judges"] == "letor4" for one in [claim("busafekete2012.letor4.ranksvm").check()])
