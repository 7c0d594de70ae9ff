"""``ltrlib results``: the results that the book knows, and how to add a publication's."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "every result that the book knows: list or export them, or add those of a publication"

_ADD = """\
FILE.csv has a header and the columns method, dataset, metric, fold, value, year, convention, and may have spread (the
number after a plus-minus sign). One row per result, values as printed (0.440, not 0.44, if the paper prints 0.440):

  method,dataset,metric,fold,value,year,convention
  NewRanker,LETOR 4.0 MQ2007,NDCG@10,mean,0.4501,2025,letor4

fold: 1 to 5, mean (as printed), computed (mean of five folds), pooled, test (the set has one test part), unstated.
convention: a code of data/published/later/conventions.csv; unstated if the source does not say; such results are
not compared. If a source uses a convention that is not in that file, add a row there first.
Everything is checked before anything is written; an error names file and line. --check only checks.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("list", help="data sets, conventions and how many results are comparable")
    actions.add_parser("doubts", help="doubts about results behind Table B.6, with their codes")
    export = actions.add_parser("export", help="write every result with its source as CSV")
    export.add_argument("output", metavar="FILE.csv", type=Path)
    add = actions.add_parser(
        "add",
        help="add a publication's results",
        epilog=_ADD,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add.add_argument("results", metavar="FILE.csv", type=Path)
    add.add_argument("--source", required=True, metavar="KEY", help="short name of the source: doe2020")
    add.add_argument("--publication", required=True, help="authors, year, title; or owner/name of a repository")
    add.add_argument("--place", required=True, help="the table, file or issue: 'Table 3'")
    add.add_argument("--kind", default="paper", help="paper, quoted, read-me, result file, …; default: %(default)s")
    add.add_argument("--commit", default="", help="of a repository")
    add.add_argument("--note", default="", help="what else to know about the source")
    add.add_argument("--new-datasets", action="store_true", help="take data sets that are not known yet")
    add.add_argument("--check", action="store_true", help="check only, write nothing")


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    return {"list": _list, "doubts": _doubts, "export": _export, "add": _add}[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from ltrlib.across.continued.tables import family_table

    print(family_table().to_string(index=False))
    return 0


def _doubts(args: argparse.Namespace) -> int:
    import textwrap

    from ltrlib.papers.tax2015.matrix import results
    from ltrlib.published.tables import load_table

    doubts, counted = load_table("tax2015", "doubts"), results()["doubt"].value_counts()
    for code in doubts.rows:
        number = int(counted[code])
        print(f"{code} ({number} result{'' if number == 1 else 's'})")
        for name in ("what", "evidence"):
            print(textwrap.indent(textwrap.fill(doubts.text(code, name), 96), "  "))
    return 0


def _export(args: argparse.Namespace) -> int:
    from ltrlib.across.continued.tables import export_csv
    from ltrlib.atomic import new_file
    from ltrlib.errors import UsageError

    if not args.output.parent.is_dir():
        raise UsageError("there is no such folder", where=args.output.parent, cure="make it, or choose another")
    text = export_csv()
    with new_file(args.output) as file:
        file.write(text.encode())
    print(f"{text.count(chr(10)) - 1} results in {args.output}")
    return 0


def _add(args: argparse.Namespace) -> int:
    from ltrlib.across.continued.adding import Source, add_publication

    source = Source(args.source, args.publication, args.place, args.kind, args.commit, args.note)
    rows = add_publication(args.results, source, new_datasets=args.new_datasets, write=not args.check)
    done = "checked, nothing written" if args.check else "added to data/published/later"
    alone = int((rows["joins"] == 0).sum())
    print(f"{len(rows)} results of {args.source}: {done}.")
    print(
        f"{len(rows) - alone} of them can be compared with others of the same convention, data set and part; {alone} "
        "with nobody."
    )
    return 0
