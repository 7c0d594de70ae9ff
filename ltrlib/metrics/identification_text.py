"""What a number could be, as text: an aligned table, or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import fill, wrap

from ltrlib.metrics.explanation import CAUSES
from ltrlib.metrics.identification import Identification, Match
from ltrlib.metrics.report import aligned, how_many
from ltrlib.metrics.telling_apart import choices_that_differ, digits_needed, next_number, what_would_tell

__all__ = ["identification_json", "identification_table", "tool_words"]

_WIDTH = 110
_TOOLS_WIDTH = 56


def identification_json(found: Identification) -> str:
    """Write JSON; each number reads back as the same double.

    Examples
    --------
    >>> from ltrlib.metrics.identifying import identify
    >>> content = json.loads(identification_json(identify("0.7602", [2, 0, 1], [0.1, 0.2, 0.3], [0, 3])))
    >>> content["value"], content["matches"][0]["metric"], content["matches"][0]["preprocessing"]
    (0.7602, 'ndcg@10:trec_eval', None)
    """
    following = next_number(found)
    content = {
        "value": found.printed.value,
        "digits": found.printed.digits,
        "matches": [{**_match(match), "group": match.group} for match in found.matches],
        "groups": [
            {
                "metrics": [str(match.metric) for match in group],
                "differ_in": [CAUSES.get(name, name) for name in choices_that_differ(group)],
                "would_be_told_apart_by": list(what_would_tell(group)),
            }
            for group in found.groups
        ],
        "near_misses": [
            {
                **_match(match),
                "off": match.value - found.printed.value,
                "fits_if_cut_off": found.printed.cut_from(match.value),
            }
            for match in found.near
        ],
        "tried": found.tried,
        "expected_by_chance": found.by_chance,
        "tried_further": list(found.widened),
        "left_out": dict(found.left_out),
        "digits_that_would_tell_groups_apart": digits_needed(found),
        "next": None
        if following is None
        else {
            "metric": str(following.metric),
            "values": {text: [str(match.metric) for match in some] for text, some in following.values.items()},
        },
    }
    return json.dumps(content, indent=1, allow_nan=False)


def _match(match: Match) -> dict[str, object]:
    return {"metric": str(match.metric), "preprocessing": match.preprocessing, "value": match.value}


def tool_words(match: Match) -> str:
    """Tool of a match, with the options that it needs.

    Examples
    --------
    >>> from ltrlib.metrics.candidates import Candidate, Preprocessing
    >>> from ltrlib.metrics.notation import parse
    >>> tool_words(Match(Candidate(parse("ndcg@10:yahoo(empty=0.5)"), Preprocessing()), 0.5))
    'yahoo(empty=0.5)'
    """
    text = str(match.metric)
    _, bracket, changed = text.partition("(")
    return f"{match.metric.tool or 'no tool'}{bracket}{changed}"


def _name(match: Match) -> str:
    return match.metric.family + (f"@{match.metric.k}" if match.metric.k else "")


def identification_table(found: Identification, *, ranking: str) -> str:
    """Write what fits, what nearly does, and what to ask next.

    Examples
    --------
    >>> from ltrlib.metrics.identifying import identify
    >>> text = identification_table(identify("0.7602", [2, 0, 1], [0.1, 0.2, 0.3], [0, 3]), ranking="my.txt")
    >>> text.splitlines()[0][:28]
    '0.7602 for my.txt, 1 query: '
    """
    queries = how_many(found.case.n_queries, "query", "queries")
    number = f"{found.printed.value:.{found.printed.digits}f}"
    lines = [
        f"{number} for {ranking}, {queries}: {len(found.matches):,} of {found.tried:,} candidates give it; "
        f"about {found.by_chance:.2g} would by chance."
    ]
    lines += [f"Because nothing plainer fitted: {what}." for what in found.widened]
    if found.matches:
        header = ["group", "metric", "tools", "preprocessing", "value"]
        lines += ["", aligned(header, [row for group in found.groups for row in _rows(group)]), *_apart(found)]
    else:
        lines.append("No tool, cut-off or preprocessing that is known here gives it.")
    if found.near:
        rows = [
            [
                _name(one),
                tool_words(one),
                one.preprocessing or "–",
                f"{one.value:.6f}",
                f"{one.value - found.printed.value:+.1e}{_cut(one, found)}",
            ]
            for one in found.near
        ]
        lines += ["", "Near misses:", aligned(["metric", "tool", "preprocessing", "value", "off by"], rows)]
    lines += [f"Left out: {tool} ({why})." for tool, why in found.left_out.items()]
    return "\n".join(lines)


def _rows(group: Sequence[Match]) -> list[list[str]]:
    """One row for each metric and preprocessing, with all its tools."""
    together: dict[tuple[str, str | None], list[Match]] = {}
    for match in group:
        together.setdefault((_name(match), match.preprocessing), []).append(match)
    rows = []
    for (name, before), some in together.items():
        first, *rest = wrap(", ".join(map(tool_words, some)), _TOOLS_WIDTH)
        rows.append([str(some[0].group + 1), name, first, before or "–", f"{some[0].value:.6f}"])
        rows += [["", "", more, "", ""] for more in rest]
    return rows


def _apart(found: Identification) -> list[str]:
    lines = []
    for group in found.groups:
        differ = choices_that_differ(group)
        if differ:
            named = ", ".join(CAUSES.get(name, name) for name in differ)
            needed = what_would_tell(group)
            text = f"Group {group[0].group + 1}: alike in every query of this ranking, though they differ in {named}."
            if needed:
                text += f" Told apart by a ranking with {'; '.join(needed)}."
            lines += ["", fill(text, _WIDTH)]
    if len(found.groups) > 1:
        digits = digits_needed(found)
        text = f"{len(found.groups)} groups agree at the digits given and differ in single queries."
        if digits is not None:
            text += f" {digits} digits would tell them apart."
        lines += ["", fill(text, _WIDTH)]
    following = next_number(found)
    if following is not None:
        lines += [
            "",
            f"The number to ask for next: {following.metric} by the same tool (--also {following.metric}=VALUE).",
        ]
        for text, some in following.values.items():
            who = ", ".join(dict.fromkeys(f"{tool_words(one)}{_before(one)}" for one in some))
            lines.append(fill(f"{text}: {who}", _WIDTH, initial_indent="  ", subsequent_indent="    "))
    return lines


def _cut(match: Match, found: Identification) -> str:
    return " (fits if digits were cut off, not rounded)" if found.printed.cut_from(match.value) else ""


def _before(match: Match) -> str:
    return f" with {match.preprocessing}" if match.preprocessing else ""
