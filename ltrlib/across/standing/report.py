"""The answer of ``ltrlib compare`` as text for people and as JSON for programs."""

from __future__ import annotations

import json
import math
import textwrap
from typing import Any

import pandas as pd

from ltrlib.across.continued.measures import METRICS
from ltrlib.across.continued.pool import OUR_DATASETS
from ltrlib.across.our_runs.records import VALUES
from ltrlib.across.standing.standing import Elsewhere, Standing

__all__ = ["as_json", "as_text", "counted_against", "names_or_count", "noise_note", "verdict"]

_WIDTH = 100


def counted_against(standing: Standing) -> str:
    """Say exactly what was counted, in one sentence.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> counted_against(place_among(project_data("examples", "my-method.csv")))
    'Table B.6 of Tax et al. (2015): 87 methods, 1,050 results, IWN by the formula.'
    """
    options, before = standing.options, standing.before
    name = "Table B.6 of Tax et al. (2015)"
    name += ", continued with later results and our own runs" if options.among == "continued" else ""
    rows = len(before.rows())
    rule = {"formula": "the formula", "reached": "the highest WN reached, as the authors' program had it"}[options.iwn]
    text = f"{name}: {rows} methods, {len(before.results):,} results, IWN by {rule}"
    if options.without_doubts:
        text += f"; without the doubtful results {', '.join(options.without_doubts)}"
    return text + "."


def verdict(standing: Standing, method: str) -> str:
    """Say where a method stands: how good, on how much evidence, and whether another is better in both.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> standing = place_among(project_data("examples", "my-method.csv"))
    >>> verdict(standing, "MyRanker (yours)")[:58]
    'MyRanker (yours) won 122 of 233 comparisons: NWN 0.5236, p'
    """
    row, rows = standing.row(method), standing.after.rows()
    if pd.isna(row["NWN"]):
        return f"{method} was compared with nobody."
    fewer = int((rows["IWN"] < row["IWN"]).sum())
    text = f"{method} won {row['WN']} of {row['IWN']} comparisons: "
    text += f"NWN {row['NWN']:.4f}, place {row['place']} of {len(rows)} by NWN. "
    text += f"{fewer} of the other {len(rows) - 1} rows rest on fewer comparisons (IWN). "
    above = [name for name in row["dominated by"].split(", ") if name]
    if not above:
        return text + "It is on the Pareto front: nobody has both a higher NWN and a higher IWN."
    on_front = standing.after.front()
    front = [name for name in above if name in on_front]
    are = "1 method is" if len(above) == 1 else f"{len(above)} methods are"
    return (
        text + f"It is not on the Pareto front: {are} at least as high in NWN and IWN, and higher in one"
        f"{f'; among them, on the front: {_listed(front, 6)}' if front else ''}."
    )


def names_or_count(names: list[str], most: int = 4) -> str:
    """List a few names, or say how many there are.

    Examples
    --------
    >>> names_or_count(["A", "B"]), names_or_count(list("ABCDEF"), 2), names_or_count([])
    ('A, B', 'A, B and 4 more', 'nobody')
    """
    return _listed(names, most) or "nobody"


def _listed(names: list[str], most: int) -> str:
    rest = len(names) - most
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:most])} and {rest} more"


def as_text(standing: Standing) -> str:
    """Write the answer for people.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> print(as_text(place_among(project_data("examples", "my-method.csv"))).splitlines()[0])
    Table B.6 of Tax et al. (2015): 87 methods, 1,050 results, IWN by the formula.
    """
    blocks = []
    if standing.methods:
        blocks.append(_filled(counted_against(standing)))
        duels = dict(iter(standing.duels().groupby("method")))
        blocks += [_method_block(standing, method, duels[method]) for method in standing.methods]
        blocks.append(_changes_block(standing))
    blocks += [_elsewhere_block(one) for one in standing.elsewhere]
    return "\n\n".join(blocks)


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _WIDTH, subsequent_indent=indent)


def _method_block(standing: Standing, method: str, own: pd.DataFrame) -> str:
    row = standing.row(method)
    winning = standing.before.winning
    of = {metric: int((winning["metric"] == metric).sum()) for metric in METRICS}
    head = f"  {'':10}" + "".join(f"{metric:>12}" for metric in (*METRICS, "all"))
    nwn = "".join(f"{_number(row[metric]):>12}" for metric in METRICS)
    sets = "".join(f"{row[f'{metric} sets']:>12}" for metric in METRICS)
    methods = "".join(f"{of[metric]:>12}" for metric in METRICS)
    lines = [
        _filled(verdict(standing, method), "  "),
        "",
        head,
        f"  {'NWN':10}{nwn}{_number(row['NWN']):>12}",
        f"  {'data sets':10}{sets}",
        f"  {'methods':10}{methods}{len(standing.before.rows()):>12}",
        f"  {'WN / IWN':10}{'':48}{row['WN']:>7} / {row['IWN']}",
        "",
        "  result by result:",
    ]
    wide = max(len(name) for name in own["dataset"])
    for one in own.to_dict("records"):
        lost, won = one["loses to"], one["beats"]
        ahead = f"behind {names_or_count(lost[::-1], 3)}" if lost else "ahead of all"
        lines.append(
            f"  {one['dataset']:{wide}}  {one['metric']:8}{one['value']:<8} place {one['place']:>2} of {one['of']:<3} "
            f"beats {len(won):>2}, {ahead}"
        )
    return "\n".join(lines)


def _changes_block(standing: Standing) -> str:
    changes = standing.changes()
    on, off = (changes.loc[changes[side], "method"].tolist() for side in ("on", "off"))
    most = changes.iloc[int((changes["NWN after"] - changes["NWN before"]).abs().to_numpy().argmax())]
    front = f"loses {_listed(off, 9)}" if off else "keeps its members"
    front += f"; new on it: {_listed(on, 9)}" if on else ""
    text = (
        f"Of the other {len(changes)} rows {int(changes['changed'].sum())} change their WN or IWN; the NWN of "
        f"{most['method']} changes most, from {most['NWN before']:.4f} to {most['NWN after']:.4f}. The front {front}. "
        "(--format json lists every row.)"
    )
    noise = noise_note(standing)
    return _filled(text) + (f"\n\n{_filled(noise)}" if noise else "")


def noise_note(standing: Standing) -> str:
    """Say how large the noise of the test queries is, on the data sets that we have run ourselves.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> noise_note(place_among(project_data("examples", "my-method.csv")))[:47]
    'Winning numbers ignore noise. Over the test que'
    """
    errors = VALUES.read().table
    parts = []
    for key, title in OUR_DATASETS.items():
        for metric in METRICS[::-1]:
            if ((standing.yours["dataset"] == title) & (standing.yours["metric"] == metric)).any():
                found = errors.loc[(errors["dataset"] == key) & (errors["metric"] == metric), "standard_error"]
                parts.append(f"{found.median():.3f} ({title}, {metric})")
                break
    if not parts:
        return ""
    return (
        "Winning numbers ignore noise. Over the test queries the standard error of a mean is about "
        f"{' and '.join(parts)} in our own runs. Methods closer than that cannot be told apart by their means alone."
    )


def _elsewhere_block(one: Elsewhere) -> str:
    head = f"{one.method}, {one.dataset}, {one.metric} {one.value} by {one.tool}: {one.why}. "
    if one.others.empty:
        return _filled(
            head + "No result by this tool is known on this data set, so it cannot be placed. Score the ranking again "
            "with the data set's own tool (ltrlib eval)."
        )
    head += f"Among {len(one.others)} results by the same tool ({one.part}) it takes place {one.place} of "
    head += f"{len(one.others) + 1}:"
    lines = [_filled(head, "  ")]
    letor = one.others["by LETOR"].notna().any()
    wide = max(len(one.method), *(len(name) for name in one.others["method"]))
    if letor:
        lines.append(f"     {'':{wide}}  {one.tool:>12}   LETOR's tool")
    shown = one.others[["method", "value", "by LETOR"]].to_dict("records")
    shown.insert(one.place - 1, {"method": one.method, "value": one.value, "by LETOR": math.nan})
    for place, row in enumerate(shown, start=1):
        beside = f"   {_number(row['by LETOR']):>12}" if letor else ""
        mark = ">" if row["method"] == one.method else " "
        lines.append(f"  {mark}{place:>2} {row['method']:{wide}} {row['value']:>12.4f}{beside}")
    return "\n".join(lines)


def _number(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) and not math.isnan(value) else "–"


def as_json(standing: Standing) -> str:
    """Write the whole answer for programs: options, rows, duels, changes, and what Table B.6 could not take.

    Examples
    --------
    >>> from ltrlib.across.standing.standing import place_among
    >>> from ltrlib.project import project_data
    >>> answer = json.loads(as_json(place_among(project_data("examples", "my-method.csv"))))
    >>> answer["yours"][0]["IWN"], len(answer["changes"])
    (233, 87)
    """
    options = standing.options
    rows = standing.table()
    answer = {
        "counted": counted_against(standing),
        "options": {
            "among": options.among,
            "iwn": options.iwn,
            "without_doubts": list(options.without_doubts),
            "unstated": options.unstated,
        },
        "yours": _records(rows[rows["method"].isin(standing.methods)]),
        "front": sorted(standing.after.front()),
        "results": _records(standing.duels()),
        "changes": _records(standing.changes()) if standing.methods else [],
        "elsewhere": [
            {
                "method": one.method,
                "dataset": one.dataset,
                "metric": one.metric,
                "value": one.value,
                "convention": one.convention,
                "why not in Table B.6": one.why,
                "part": one.part,
                "place": one.place if len(one.others) else None,
                "others": _records(one.others),
            }
            for one in standing.elsewhere
        ],
    }
    return json.dumps(answer, indent=1, ensure_ascii=False)


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table.astype(object).to_dict("records")
    return [{str(name): _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if hasattr(value, "item") else value
