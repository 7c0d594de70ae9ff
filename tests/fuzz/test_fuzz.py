"""Fuzzed inputs over every command: our own error, or a right answer. ``make fuzz`` runs a hundred thousand.

No traceback, no warning, no hang, no small input that takes much memory; an exit code of ours; a message that names a
file or an option; a broken line refused with file and line; inputs unchanged, nothing half-written or left behind; and
where another way to the answer is at hand (:mod:`tests.fuzz.answers`), the same answer.
"""

from __future__ import annotations

import pytest

from ltrlib.cli import COMMANDS
from tests.fuzz.cases import MAKERS, Case, draw
from tests.fuzz.running import Outcome, judge, run_many

INPUTS = 1500  # about a minute of one core


def test_every_command_is_fuzzed() -> None:
    assert set(COMMANDS) == set(MAKERS) - {""}
    assert draw(1, 7)[1].command == draw(1, 7)[1].command


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("seed", [20, 21])
def test_fuzzed_inputs_give_our_own_error_or_a_right_answer(seed: int) -> None:
    counts, problems = run_many(range(INPUTS // 2), seed)
    assert not problems, "\n".join(problems)
    codes = {code for by_code in counts.values() for code in by_code}
    assert {0, 2} <= codes  # both refused and answered


@pytest.mark.parametrize(
    ("case", "seen", "what"),
    [
        (Case(["meta", "x.csv"]), Outcome(None, "", "", "Traceback …\nKeyError: 'a'", 0, {}), "traceback"),
        (Case(["meta", "x.csv"]), Outcome(2, "", "ltrlib: something is wrong", "", 0, {}), "neither a file"),
        (Case(["meta", "x.csv"], broken="x.csv:3"), Outcome(0, "", "", "", 0, {}), "a broken line"),
        (Case(["meta", "x.csv"], {"x.csv": b"a"}), Outcome(0, "", "", "", 0, {"x.csv": b""}), "was changed"),
        (Case(["meta"]), Outcome(0, "", "", "", 0, {".t.unfinished-1": b""}), "left behind"),
        (Case(["meta"]), Outcome(0, "", "", "", 5000, {}), "MB"),
        (Case(["meta"]), Outcome(-9, "", "", "", 0, {}), "exit code"),
        (
            Case(["eval", "--format", "json"], {"data.txt": b"1 qid:1\n0 qid:1", "scores.txt": b"1\n2"}),
            Outcome(
                *(0, '{"queries": 1, "results": {"s": {"ltrlib": {"ndcg@10": {"mean": 1.0}}}}}', "", "", 0),
                {"data.txt": b"1 qid:1\n0 qid:1", "scores.txt": b"1\n2"},
            ),
            "NDCG@10 1.0 instead of 0.63",
        ),
    ],
)
def test_the_judge_sees_what_is_wrong(
    case: Case, seen: Outcome, what: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A judge that never complains would prove nothing."""
    assert any(what in problem for problem in judge(case.command[0], case, seen, tmp_path_factory.mktemp("empty")))
