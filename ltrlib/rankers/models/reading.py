"""Any model file: which program's it is, its text tells."""

from __future__ import annotations

from pathlib import Path

from ltrlib.errors import DataFormatError
from ltrlib.rankers.models.forms import Model

__all__ = ["read_model"]


def read_model(path: str | Path) -> Model:
    r"""Read a model file of RankLib, of LightGBM, or one that ``Ranker.save`` wrote.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.txt")
    >>> _ = path.write_text("## Coordinate Ascent\n1:0.25 2:0.75\n")
    >>> read_model(path).name
    'Coordinate Ascent'
    """
    path = Path(path)
    with path.open("rb") as file:
        head = file.read(64).lstrip()
    if head.startswith(b"PK"):
        from ltrlib.rankers.base import Ranker
        from ltrlib.rankers.models.fitted import as_model

        return as_model(Ranker.load(path))
    if head.startswith(b"#"):
        from ltrlib.rankers.models.ranklib_read import read_ranklib

        return read_ranklib(path)
    if head.split(b"\n", 1)[0].strip() == b"tree":
        from ltrlib.rankers.models.lightgbm_text import read_lightgbm

        return read_lightgbm(path)
    raise DataFormatError(
        "neither a model of RankLib (## NAME) nor of LightGBM (tree) nor a saved ranker", where=f"{path}:1"
    )
