"""Protects the frame of the command line: help, exit codes, errors in one or two lines."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib import __version__
from ltrlib.cli import COMMANDS, main
from ltrlib.cli import doctor as doctor_command
from ltrlib.errors import DataFormatError, LtrlibError


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ltrlib", *arguments], capture_output=True, text=True, check=False)


def test_version_and_help_name_every_command() -> None:
    assert run("--version").stdout == f"ltrlib {__version__}\n"
    shown = run("--help").stdout
    assert all(f"\n    {name} " in shown for name in COMMANDS)


def test_help_answers_without_loading_anything_heavy() -> None:
    code = (
        "import sys, ltrlib.cli; ltrlib.cli.build_parser()\n"
        "print([m for m in ('numpy', 'pandas', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: ltrlib")


def test_unknown_command_exits_with_2_and_lists_the_known_ones() -> None:
    done = run("no-such-command")
    assert done.returncode == 2
    assert "doctor" in done.stderr


def test_an_error_is_short_and_its_traceback_comes_only_with_debug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(args: object) -> int:
        raise DataFormatError("the label is not an integer", where="a.txt:7", cure="write 0, 1, 2")

    monkeypatch.setattr(doctor_command, "run", fail)
    assert main(["doctor"]) == 2
    assert capsys.readouterr().err == "ltrlib: a.txt:7: the label is not an integer\n  to do: write 0, 1, 2\n"
    with pytest.raises(LtrlibError):
        main(["doctor", "--debug"])
    with pytest.raises(LtrlibError):
        main(["--debug", "doctor"])


def test_output_into_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m ltrlib data list | true", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_errors_cross_process_borders_whole() -> None:
    import pickle

    error = DataFormatError("bad", where="f:1", cure="fix it")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (DataFormatError, str(error))


def test_doctor_passes_here_and_fails_when_a_package_differs_from_the_lock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    assert "FAIL" not in capsys.readouterr().out
    monkeypatch.setattr(doctor_command, "_datasets", list)
    (tmp_path / "requirements.lock").write_text("numpy==0.0.1\nno-such-package==1.0\n")
    (tmp_path / "requirements-peers.lock").write_text("")
    monkeypatch.setattr("ltrlib.project.ROOT", tmp_path)
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "instead of 0.0.1" in shown
    assert "no-such-package is missing" in shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_standard_output_is_an_error_in_two_lines(unbuffered: str) -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "ltrlib", "data", "list"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("ltrlib: standard output: no space left on device\n  to do: ")
    assert done.stderr.count("\n") == 2


def test_without_a_standard_output_the_exit_code_still_tells() -> None:
    command = f"exec {shlex.quote(sys.executable)} -m ltrlib data list >&-"
    done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
