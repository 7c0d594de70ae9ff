"""``ltrlib claims``: what the papers claim, and what became of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ltrlib.claims.verdict import Verdict

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome

HELP = "list the papers' claims with their verdicts, or check one"

EPILOG = """\
A claim is checked every time it is listed: nothing is read from a list of verdicts. Claims that are one observation
have one cause and are counted once.

exit code
  0  done; for check: the verdict does not speak against the claim
  1  check: the verdict is "not reproduced" or "inconsistent"; changes --check: the log is out of date
  2  could not be done
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options and the sub-command."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--paper", metavar="P", help="claims of one paper only, such as tax2015")
    verdicts = [verdict.word for verdict in Verdict]
    parser.add_argument(
        "--verdict", metavar="V", choices=verdicts, help=f"claims with one verdict only: {', '.join(verdicts)}"
    )
    weights = ("central", "supporting", "editorial")
    parser.add_argument(
        "--weight", choices=weights, help="claims of one weight only: how much of the paper rests on them"
    )
    parser.add_argument("--cause", metavar="C", help="claims of one observation only, such as tax2015.adarank-map")
    ways = ("arithmetic", "counted", "rerun", "rerun on other data", "not public")
    parser.add_argument(
        "--checked-by", metavar="H", choices=ways, help=f"claims checked in one way only: {', '.join(ways)}"
    )
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table", help="default: %(default)s")
    commands = parser.add_subparsers(dest="claims_command", metavar="COMMAND", title="commands")
    check = commands.add_parser("check", help="check one claim and print everything about it")
    check.add_argument("id", metavar="ID", help="the claim's id, as ltrlib claims lists it")
    check.add_argument("--json", action="store_true", help="print JSON")
    words = commands.add_parser("words", help="find a sentence of a paper by a few words, and print its hash")
    words.add_argument("paper", metavar="PAPER", help="the paper's key, or the name of one of its texts")
    words.add_argument("words", metavar="WORDS", help="a few words of the sentence, at most a dozen")
    changes = commands.add_parser("changes", help="log what changed since the last time in CHANGES-IN-NUMBERS.md")
    changes.add_argument("--note", metavar="TEXT", default="", help="why; default: the reason of each verdict")
    changes.add_argument("--check", action="store_true", help="write nothing, only tell what is not logged")


def run(args: argparse.Namespace) -> int:
    """List claims, check one, or log what changed."""
    if args.claims_command == "check":
        return _check(args.id, as_json=args.json)
    if args.claims_command == "words":
        return _words(args.paper, args.words)
    if args.claims_command == "changes":
        return _changes(args.note, only_check=args.check)
    wanted = {"weight": args.weight, "cause": args.cause, "checked_by": args.checked_by, "verdict": args.verdict}
    _list(args.paper, wanted, args.format)
    return 0


def _check(name: str, *, as_json: bool) -> int:
    from ltrlib.claims.registry import claim
    from ltrlib.claims.show import report

    outcome = claim(name).check()
    print(_json(outcome.as_dict()) if as_json else report(outcome))
    return 1 if outcome.verdict in (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT) else 0


def _words(paper: str, words: str) -> int:
    from ltrlib.claims.words import digest, find_sentences, paper_texts, texts_of
    from ltrlib.errors import ClaimError

    texts = texts_of(paper)
    if not texts:
        here = paper_texts()
        raise ClaimError(
            f"no text of {paper!r} is here", where=here, cure="set LTRLIB_PAPERS to the folder with the papers' texts"
        )
    found = [(text, sentence) for text in texts for sentence in find_sentences(text, words)]
    for text, sentence in found:
        print(f'Sentence("{text}", "Section …", "{words}", "{digest(sentence)}")\n    {sentence}')
    if not found:
        print(f"no sentence of {', '.join(texts)} has these words")
    return 0 if found else 1


def _changes(note: str, *, only_check: bool) -> int:
    from ltrlib.claims.changes import COMMAND, LogFiles
    from ltrlib.project import need_checkout

    need_checkout("the log of changed numbers")
    files, outcomes = LogFiles(), _checked(None)
    if only_check:
        problems = files.problems(outcomes)
        print("\n".join([*problems, f"to do: {COMMAND}"]) if problems else "the log is up to date")
        return 1 if problems else 0
    logged = files.update(outcomes, note=note)
    for change in logged:
        print(f"{change.claim}: {change.what} {change.before or '–'} → {change.after or '–'}")
    print(f"{len(logged)} changes logged in {files.page.name}")
    return 0


def _list(paper: str | None, wanted: Mapping[str, str | None], form: str) -> None:
    from ltrlib.claims.causes import cause_table, causes
    from ltrlib.claims.show import count_table, outcome_table

    outcomes = [
        one for one in _checked(paper) if all(value in (None, _shown(one)[name]) for name, value in wanted.items())
    ]
    if form == "json":
        print(_json([outcome.as_dict() for outcome in outcomes]))
    elif form == "csv":
        outcome_table(outcomes).to_csv(sys.stdout, index=False, lineterminator="\n")
    else:
        width = max((len(outcome.claim.id) for outcome in outcomes), default=0)
        for outcome in outcomes:
            better = " (better than published)" if outcome.flagged_better else ""
            shown = f"{outcome.verdict.shape} {outcome.word:19}  {outcome.claim.id:{width}}"
            print(f"{shown}  {outcome.claim.statement}{better}")
        print(f"\n{len(outcomes)} claims")
        if outcomes:
            print(count_table(outcomes).to_string())
            print(f"\n{len(causes(outcomes))} observations: claims of one cause count once")
            print(cause_table(outcomes).to_string())


def _shown(outcome: Outcome) -> dict[str, str]:
    """What a claim can be chosen by."""
    claim = outcome.claim
    return {
        "weight": claim.weight.value,
        "cause": claim.cause_id,
        "checked_by": outcome.checked_by,
        "verdict": outcome.verdict.word,
    }


def _checked(paper: str | None) -> list[Outcome]:
    from ltrlib.claims.registry import claims
    from ltrlib.progress import progress

    return [claim.check() for claim in progress(claims(paper), what="checking", unit="claim")]


def _json(content: object) -> str:
    import json

    return json.dumps(content, indent=2, ensure_ascii=False)
