"""Compare the text of two built books: ``python -m tests.book.two_builds FOLDER OTHER`` (each a ``_build/html``).

Build twice, in different folders and with different PYTHONHASHSEED: every page must read the same. The status page
alone tells of the build itself (run times, machine), so it is left out.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from bs4 import BeautifulSoup

OF_THE_BUILD = "chapters/status.html"


def lines_of(page: Path) -> list[str]:
    """The text of a page, line by line, without scripts."""
    main = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select_one("main")
    assert main is not None, page
    for one in main.select("script, style"):
        one.decompose()
    return [line.strip() for line in main.get_text("\n").splitlines() if line.strip()]


def differences(first: Path, second: Path) -> list[str]:
    """Lines that differ, with their page; a page that one book lacks is a difference."""
    names = [{p.relative_to(one).as_posix() for p in one.glob("**/*.html")} for one in (first, second)]
    found = [f"{name}: in one book only" for name in sorted(names[0] ^ names[1])]
    for name in sorted((names[0] & names[1]) - {OF_THE_BUILD}):
        if not name.startswith("_static"):
            both = (lines_of(first / name), lines_of(second / name))
            changed = difflib.unified_diff(*both, lineterm="", n=0)
            found += [f"{name}: {line}" for line in changed if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return found


def main() -> int:
    """Print what differs."""
    if len(sys.argv) != 3:
        print("two folders, please: python -m tests.book.two_builds FOLDER OTHER", file=sys.stderr)
        return 2
    found = differences(Path(sys.argv[1]), Path(sys.argv[2]))
    print("\n".join(found) or "the same text")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
