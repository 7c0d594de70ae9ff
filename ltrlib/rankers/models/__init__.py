"""Model files of other programs: read, scored as those programs score, written.

>>> from ltrlib.rankers.models import read_model, write_ranklib
>>> from ltrlib.rankers import Ridge
>>> from ltrlib.rankers.models import as_model
>>> as_model(Ridge())
Traceback (most recent call last):
...
ltrlib.errors.UsageError: Ridge: the ranker has not been fitted
  to do: call fit first
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ltrlib.extras import load_module

if TYPE_CHECKING:
    from ltrlib.rankers.models.fitted import as_model
    from ltrlib.rankers.models.forms import LinearModel, Model, StumpModel, TreeModel
    from ltrlib.rankers.models.lightgbm_text import read_lightgbm, write_lightgbm
    from ltrlib.rankers.models.ranklib_read import read_ranklib
    from ltrlib.rankers.models.ranklib_write import write_ranklib
    from ltrlib.rankers.models.reading import read_model

__all__ = [
    "LinearModel",
    "Model",
    "StumpModel",
    "TreeModel",
    "as_model",
    "read_lightgbm",
    "read_model",
    "read_ranklib",
    "write_lightgbm",
    "write_ranklib",
]

_HOMES = {
    "LinearModel": "forms",
    "Model": "forms",
    "StumpModel": "forms",
    "TreeModel": "forms",
    "as_model": "fitted",
    "read_lightgbm": "lightgbm_text",
    "read_model": "reading",
    "read_ranklib": "ranklib_read",
    "write_lightgbm": "lightgbm_text",
    "write_ranklib": "ranklib_write",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(load_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
