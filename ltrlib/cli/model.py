"""``ltrlib model``: model files of RankLib and LightGBM, scored or converted."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "score documents with a model file of RankLib or LightGBM, or convert it"

EPILOG = """\
examples:
  ltrlib model score lambdamart.txt --data test.txt --output scores.txt     then: ltrlib eval --data … --scores …
  ltrlib model convert lightgbm.txt ranklib.txt --to ranklib

MODEL is a file of RankLib (LambdaMART, MART, Random Forests, Coordinate Ascent, AdaRank, Linear Regression, RankBoost),
LightGBM's model text (raw scores), or a ranker that ltrlib saved; the file shows which it is. Scores are those of
the program that wrote it: LightGBM's to the last bit, RankLib's in its single precision. RankLib keeps trees in single
precision, so what is converted to it agrees to about seven digits.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    what = parser.add_subparsers(dest="what", metavar="score | convert", required=True)
    score = what.add_parser("score", help="write one score per document, a line each")
    score.add_argument("model", metavar="MODEL", type=Path)
    score.add_argument("--data", required=True, metavar="FILE", type=Path, help="documents in LETOR format")
    score.add_argument("--output", metavar="FILE", type=Path, help="default: standard output")
    convert = what.add_parser("convert", help="write the same model for another program")
    convert.add_argument("model", metavar="MODEL", type=Path)
    convert.add_argument("output", metavar="OUTPUT", type=Path)
    convert.add_argument("--to", required=True, choices=("ranklib", "lightgbm"))


def run(args: argparse.Namespace) -> int:
    """Score or convert."""
    from ltrlib.atomic import refuse_input
    from ltrlib.rankers.models.reading import read_model

    if args.output is not None:
        refuse_input(args.output, args.model, *([args.data] if args.what == "score" else []))
    model = read_model(args.model)
    if args.what == "score":
        return _score(model, args.data, args.output)
    if args.to == "ranklib":
        from ltrlib.rankers.models.ranklib_write import write_ranklib

        write_ranklib(model, args.output)
    else:
        from ltrlib.rankers.models.lightgbm_text import write_lightgbm

        write_lightgbm(model, args.output)
    print(f"{model.name}: {args.output}")
    return 0


def _score(model: object, data: Path, output: Path | None) -> int:
    import sys

    import numpy as np

    from ltrlib.atomic import new_file
    from ltrlib.datasets.letor import read_letor
    from ltrlib.rankers.models.forms import Model

    assert isinstance(model, Model)
    features = read_letor(data).features
    width = model.n_features or model.highest_feature + 1
    if features.shape[1] < width:
        # What a LETOR file leaves out is 0, also at the end of all its rows.
        features = np.pad(features, ((0, 0), (0, width - features.shape[1])))
    text = "".join(f"{score!r}\n" for score in model.predict(features).tolist())
    if output is None:
        sys.stdout.write(text)
    else:
        with new_file(output) as file:
            file.write(text.encode())
    return 0
