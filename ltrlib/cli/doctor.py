"""``ltrlib doctor``: is this machine fit for the book."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

HELP = "check this machine: Python, packages, data sets, disk, browser"

OK, NOTE, FAIL = "OK", "NOTE", "FAIL"
LEAST_DISK_GB = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options: there are none."""


def run(args: argparse.Namespace) -> int:
    """Print one line per check; exit code 1 when one says FAIL."""
    lines = [line for check in (_python, _packages, _datasets, _disk, _browser) for line in check()]
    for state, what in lines:
        print(f"{state:<5} {what}")
    return int(any(state == FAIL for state, _ in lines))


def _python() -> Iterator[tuple[str, str]]:
    import platform
    import sys

    state = OK if sys.version_info[:2] == (3, 11) else FAIL
    yield state, f"Python {platform.python_version()} (the lock is for 3.11)"


def _packages() -> Iterator[tuple[str, str]]:
    from importlib import metadata

    from ltrlib.project import ROOT

    for name, required in (("requirements.lock", True), ("requirements-peers.lock", False)):
        pins = dict(
            line.strip().split("==")
            for line in (ROOT / name).read_text().splitlines()
            if "==" in line and not line.lstrip().startswith("#")
        )
        missing, different = [], []
        for package, version in pins.items():
            try:
                if (found := metadata.version(package)) != version:
                    different.append(f"{package} {found} instead of {version}")
            except metadata.PackageNotFoundError:
                missing.append(package)
        if not missing and not different:
            yield OK, f"{len(pins)} packages as in {name}"
        elif required:
            yield FAIL, f"{name}: {'; '.join(different + [f'{p} is missing' for p in missing])} (run make setup)"
        else:
            yield (
                NOTE,
                f"{name}: {len(missing)} missing, {len(different)} different; only tests and benchmarks need them",
            )


def _datasets() -> Iterator[tuple[str, str]]:
    from ltrlib.datasets.locate import find_or_none
    from ltrlib.datasets.registry import names

    for name in names():
        place = find_or_none(name)
        yield (
            (NOTE, f"data set {name}: not here (ltrlib data show {name})")
            if place is None
            else (
                OK,
                f"data set {name}: {place}",
            )
        )


def _disk() -> Iterator[tuple[str, str]]:
    import shutil

    from ltrlib.project import ROOT

    free = shutil.disk_usage(ROOT).free / 2**30
    yield OK if free >= LEAST_DISK_GB else FAIL, f"{free:.0f} GB of disk free (at least {LEAST_DISK_GB} wanted)"


def _browser() -> Iterator[tuple[str, str]]:
    import shutil

    path = shutil.which("chromium")
    yield (NOTE, "chromium: not here; the browser tests will be skipped") if path is None else (OK, f"browser {path}")
