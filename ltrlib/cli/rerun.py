"""``ltrlib rerun``: a chapter of the book with other parameters, as a page."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "run a chapter of the book with other parameters and render its page"

EPILOG = """\
examples:
  ltrlib rerun 20-busafekete2012-metrics -p cutoff=5
  ltrlib rerun 42 -p fold=2 -p seed=1 --open
  ltrlib rerun 42 --list                          the parameters that a chapter has

The page is the book's, with what was changed on top; it is written below runs/rerun/ (or --output). A notebook
instead of a page: papermill chapters/42-koppel2019-table1.md out.ipynb -p fold 2
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("chapter", metavar="CHAPTER", help="its name, its number, or its path")
    parser.add_argument(
        "-p", "--parameter", metavar="NAME=VALUE", action="append", default=[], help="a parameter; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="only list the chapter's parameters")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--output", metavar="FOLDER", type=Path, help="where to build (default: runs/rerun/CHAPTER)")


def run(args: argparse.Namespace) -> int:
    """Run, render, say where."""
    from ltrlib.project import need_checkout

    need_checkout("rerunning a chapter")
    from ltrlib.book.rerun import find_chapter, parameters_of, parse_values, rerun
    from ltrlib.errors import UsageError

    chapter = find_chapter(args.chapter)
    known = parameters_of(chapter)
    if args.list:
        for one in known:
            print(f"{one.name}: {one.kind} = {one.default}  # {one.meaning}")
        return 0
    values = parse_values(args.parameter, known)
    folder = args.output or Path("runs") / "rerun" / chapter.stem
    if folder.exists() and any(folder.iterdir()) and not (folder / "build.log").exists():
        raise UsageError("the folder holds something else", where=folder, cure="choose another --output")
    print(f"running {chapter.name} …", flush=True)
    page = rerun(chapter, values, folder.resolve())
    print(f"open {page.as_uri()}")
    if args.open:
        import webbrowser

        webbrowser.open(page.as_uri())
    return 0
