"""``ltrlib doctor``: is this machine fit for the book."""

from __future__ import annotations

import argparse

HELP = "check this machine: Python, packages, data sets, disk, browser"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none."""


def run(args: argparse.Namespace) -> int:
    """Print one line per check."""
    return 0
