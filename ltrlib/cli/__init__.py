"""The command line: ``ltrlib COMMAND …``.

Each command is a module of this package with ``HELP``, ``configure(parser)`` and ``run(args)``; it imports
what is heavy inside ``run``, so ``ltrlib --help`` answers at once.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence

from ltrlib import __version__
from ltrlib.errors import LtrlibError
from ltrlib.extras import missing_extra

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS = (
    *("bagplot", "claims", "compare", "data", "doctor", "eval", "explain", "identify", "meta", "model", "record"),
    *("rerun", "results", "sweep", "versus"),
)
"""Names of the commands, in the order of ``ltrlib --help``; each is a module of this package."""

EXIT_ERROR = 2
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def build_parser() -> argparse.ArgumentParser:
    """Make the parser with every command.

    Examples
    --------
    >>> build_parser().parse_args(["doctor"]).command
    'doctor'
    """
    parser = argparse.ArgumentParser(
        prog="ltrlib",
        description="Learning to rank, replicated: score rankings, check data sets, check published claims.",
        epilog="ltrlib COMMAND --help tells more about one command.",
    )
    parser.add_argument("--version", action="version", version=f"ltrlib {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in COMMANDS:
        module = importlib.import_module(f"ltrlib.cli.{name}")
        sub = commands.add_parser(name, help=module.HELP, description=module.HELP)
        sub.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        module.configure(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 done but something failed, 2 could not be done.

    Examples
    --------
    >>> main([])  # doctest: +ELLIPSIS
    usage: ltrlib ...
    """
    # Names of files and methods may hold what cannot be printed: shown with escapes, it is still an answer.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
        return EXIT_ERROR
    try:
        code: int = args.run(args)
        if sys.stdout is not None:  # closed by who called
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of our output went away (ltrlib … | head): not an error, and nothing more can be printed.
        _print_no_more()
        return 0
    except KeyboardInterrupt:
        print("ltrlib: stopped", file=sys.stderr)
        return 130
    except MemoryError:
        if args.debug:
            raise
        print("ltrlib: there is not enough memory for this\n  to do: score a part of it", file=sys.stderr)
        return EXIT_ERROR
    except (LtrlibError, OSError, ModuleNotFoundError) as error:
        named = missing_extra(error) if isinstance(error, ModuleNotFoundError) else error
        if args.debug or named is None:
            raise
        if isinstance(named, OSError) and named.filename is None and named.errno in _FULL:
            # What is written to a file names it.
            named.filename = "standard output"
            _print_no_more()
        print(f"ltrlib: {_in_words(named) if isinstance(named, OSError) else named}", file=sys.stderr)
        return EXIT_ERROR


def _print_no_more() -> None:
    """Let what is still to be printed go nowhere, so that Python does not complain of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_CURES = {
    errno.ENOENT: "check the name, and that the folder is there",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "check the path",
    errno.EACCES: "ask for the right to it, or choose another",
    errno.EPERM: "ask for the right to it, or choose another",
    errno.ENOSPC: "free some space, or write elsewhere",
    errno.EROFS: "write elsewhere",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def _in_words(error: OSError) -> LtrlibError:
    """An error of the system, said as ours are: the file, what is wrong, what to do."""
    what = error.strerror or str(error) or type(error).__name__
    return LtrlibError(what[:1].lower() + what[1:], where=error.filename, cure=_CURES.get(error.errno or 0))
