"""The command ``ltrlib claims``: what it prints, what it finds, and its exit codes."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

from ltrlib.claims.registry import claims
from ltrlib.claims.verdict import Verdict
from ltrlib.cli import main

CAPTURE = pytest.CaptureFixture[str]


def test_the_list_has_every_claim_with_shape_word_and_counts(capsys: CAPTURE) -> None:
    assert main(["claims", "--paper", "koppel2019"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for claim in claims("koppel2019"):
        (line,) = [line for line in lines if f" {claim.id} " in line]
        verdict = claim.check().verdict
        assert line.startswith(f"{verdict.shape} {verdict.word}")
        assert line.removesuffix(" (better than published)").endswith(claim.statement)
    assert f"{len(claims('koppel2019'))} claims" in lines
    assert lines[-1].startswith("koppel2019")


@pytest.mark.parametrize("verdict", [verdict.word for verdict in Verdict])
def test_one_verdict_only(capsys: CAPTURE, verdict: str) -> None:
    assert main(["claims", "--paper", "koppel2019", "--verdict", verdict, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {claim["verdict"] for claim in found} <= {verdict}
    assert [claim["id"] for claim in found] == [c.id for c in claims("koppel2019") if c.check().verdict.word == verdict]


@pytest.mark.parametrize(
    ("option", "key", "value"),
    [
        ("--weight", "weight", "supporting"),
        ("--checked-by", "checked_by", "rerun"),
        ("--cause", "cause", "busafekete2012.section5.yahoo-minus-ranklib"),
    ],
)
def test_claims_of_one_kind_only(capsys: CAPTURE, option: str, key: str, value: str) -> None:
    assert main(["claims", "--paper", "busafekete2012", "--format", "json"]) == 0
    every = json.loads(capsys.readouterr().out)
    assert main(["claims", "--paper", "busafekete2012", option, value, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [one for one in every if one[key] == value]


def test_the_list_counts_observations_too(capsys: CAPTURE) -> None:
    assert main(["claims", "--paper", "busafekete2012"]) == 0
    assert f"{len({one.cause_id for one in claims('busafekete2012')})} observations" in capsys.readouterr().out


def test_csv_and_json_tell_the_same(capsys: CAPTURE) -> None:
    assert main(["claims", "--paper", "busafekete2012", "--format", "csv"]) == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert main(["claims", "--paper", "busafekete2012", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    for row, claim in zip(table, listed, strict=True):
        for key in ("id", "place", "statement", "verdict", "reason", "data", "fingerprint", "command"):
            assert row[key] == claim[key]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("chapelle2011.prizes.sum", 0),
        ("chapelle2011.section6.oracle", 0),
        ("koppel2019.section5.sigma-others-map", 1),
        ("koppel2019.section4.code-2019", 1),
    ],
)
def test_check_prints_everything_and_its_exit_code_tells(capsys: CAPTURE, name: str, code: int) -> None:
    assert main(["claims", "check", name]) == code
    shown = capsys.readouterr().out
    for part in (name, "claim ", "place ", "reason ", "data ", "fingerprint ", f"ltrlib claims check {name}"):
        assert part in shown
    assert main(["claims", "check", name, "--json"]) == code
    assert json.loads(capsys.readouterr().out)["id"] == name


def test_an_unknown_id_is_answered_with_near_ones(capsys: CAPTURE) -> None:
    assert main(["claims", "check", "chapelle2011.prize.sum"]) == 2
    error = capsys.readouterr().err
    assert "no claim is called 'chapelle2011.prize.sum'" in error
    assert "did you mean chapelle2011.prizes.sum" in error
    assert "Traceback" not in error


def test_an_unknown_paper_is_answered_with_the_known_ones(capsys: CAPTURE) -> None:
    assert main(["claims", "--paper", "tax2014"]) == 2
    assert "tax2015, busafekete2012, chapelle2011, koppel2019" in capsys.readouterr().err


def test_help_explains_the_exit_codes(capsys: CAPTURE) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["claims", "--help"])
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    assert "exit code" in shown
    assert 'the verdict is "not reproduced" or "inconsistent"' in shown


def test_help_of_all_commands_does_not_load_the_claims() -> None:
    """``ltrlib --help`` answers at once: no numerical library, no paper is loaded for it."""
    code = "import sys, ltrlib.cli; ltrlib.cli.build_parser(); print('ltrlib.claims.registry' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "False"
