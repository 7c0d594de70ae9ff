"""``ltrlib doctor``: is this machine fit for the tool, and for the book."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

HELP = "check this machine: Python, packages, data sets, disk, browser"

OK, NOTE, FAIL = "OK", "NOTE", "FAIL"
LEAST_DISK_GB = 5
LOCKED = (3, 11)


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

    from ltrlib.project import IN_CHECKOUT

    locked = sys.version_info[:2] == LOCKED
    note = "" if locked or not IN_CHECKOUT else "; the tool runs here, but the book's lock is for 3.11"
    yield NOTE if note else OK, f"Python {platform.python_version()}{note}"


def _packages() -> Iterator[tuple[str, str]]:
    import sys

    from ltrlib.project import IN_CHECKOUT

    yield from _extras()
    if IN_CHECKOUT and sys.version_info[:2] == LOCKED:
        yield from _locked("requirements.lock", FAIL, "run make setup")
        yield from _locked("requirements-peers.lock", NOTE, "only tests and benchmarks need them")


def _extras() -> Iterator[tuple[str, str]]:
    from importlib.util import find_spec

    from ltrlib.extras import EXTRAS

    def absent(module: str) -> bool:
        try:
            return find_spec(module) is None
        except ModuleNotFoundError:
            return True

    for module in ("numpy", "numba", "yaml", "tqdm", "pooch"):
        if absent(module):
            yield FAIL, f"{module} is missing, which everything needs (pip install ltrlib)"
    for extra, modules in EXTRAS.items():
        if missing := [module for module in modules if absent(module)]:
            yield NOTE, f'extra {extra}: without {", ".join(missing)} (pip install "ltrlib[{extra}]")'
        else:
            yield OK, f"extra {extra}: here"


def _locked(name: str, state: str, cure: str) -> Iterator[tuple[str, str]]:
    from importlib import metadata

    from ltrlib.project import ROOT

    if not (ROOT / name).is_file():
        return
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
            missing.append(f"{package} is missing")
    if missing or different:
        some = "; ".join([*different, *missing][:5])
        yield state, f"{name}: {len(missing)} missing, {len(different)} different: {some} ({cure})"
    else:
        yield OK, f"{len(pins)} packages as in {name}"


def _datasets() -> Iterator[tuple[str, str]]:
    from ltrlib.datasets.locate import find_or_none
    from ltrlib.datasets.registry import names
    from ltrlib.project import mistyped_data_paths

    yield from ((FAIL, problem) for problem in mistyped_data_paths())
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

    from ltrlib.project import data_search_path

    # Where data sets go; the folder itself may not be there yet.
    own = data_search_path()[-1]
    place = next(folder for folder in (own, *own.parents) if folder.exists())
    free = shutil.disk_usage(place).free / 2**30
    yield OK if free >= LEAST_DISK_GB else FAIL, f"{free:.0f} GB of disk free (at least {LEAST_DISK_GB} wanted)"


def _browser() -> Iterator[tuple[str, str]]:
    import shutil

    path = shutil.which("chromium")
    yield (NOTE, "chromium: not here; the browser tests will be skipped") if path is None else (OK, f"browser {path}")
