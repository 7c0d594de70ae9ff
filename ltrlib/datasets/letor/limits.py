"""Limits of the LETOR format as it is read and written here."""

from __future__ import annotations

__all__ = ["MAX_FEATURES", "MAX_LINE", "MAX_QID"]

MAX_FEATURES = 100_000
"""Highest feature index: rows are dense, so one high index makes all of them longer."""

MAX_LINE = 1 << 24
"""Bytes of the longest line; what is longer is no text in this format."""

MAX_QID = 256
"""Bytes of the longest query id."""
