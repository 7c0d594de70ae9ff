"""How long a point may take: from points that were run, else from the recorded time of the chapter."""

from __future__ import annotations

import json
import statistics

from ltrlib.errors import RecordError
from ltrlib.sweeps.records import CHAPTERS
from ltrlib.sweeps.store import FACTS, Store

__all__ = ["typical_seconds"]


def typical_seconds(store: Store) -> float | None:
    """Seconds of a typical point; None if nothing is known.

    The median over the points of this sweep that went well; else over those of other sweeps of the same chapter; else
    the recorded time of the chapter.
    """
    for pattern in (f"{store.folder.name}/*/{FACTS}", f"*/*/{FACTS}"):
        found = []
        for path in store.folder.parent.glob(pattern):
            try:
                facts = json.loads(path.read_text(encoding="utf-8"))
                if not facts["error"] and facts["chapter"] == store.chapter.path.stem:
                    found.append(float(facts["seconds"]))
            except (ValueError, KeyError):
                continue  # damaged: it will be run again, and tells nothing
        if found:
            return statistics.median(found)
    try:
        times = CHAPTERS.read().table.set_index("chapter")["seconds"]
    except RecordError:
        return None
    return float(times[store.chapter.path.stem]) if store.chapter.path.stem in times.index else None
