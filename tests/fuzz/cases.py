"""Cases: a command line with its files, drawn for each command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.fuzz import content
from tests.fuzz.content import BROKEN_LINES, ODD_TEXTS, Text, archive, damaged, packed, valid
from tests.helpers.data import YAHOO

__all__ = ["MAKERS", "Case", "draw"]


@dataclass
class Case:
    """One call of the command line.

    Parameters
    ----------
    command
        Its words.
    files
        What is there when it starts, by name.
    stdin
        What standard input holds.
    broken
        File and line that must be named in a refusal, where a line is broken on purpose.
    output
        File that it is told to write.
    lost
        Whether a file that it is told to read is not there.
    """

    command: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    broken: str | None = None
    output: str | None = None
    lost: bool = False

    def put(self, rng: Random, name: str, kind: Text, *, odd: float = 0.6, pack: bool = True) -> str:
        """Add a file of a kind, maybe damaged, maybe compressed, maybe on standard input; return how it is named."""
        if not (self.broken or self.lost or self.files or self.stdin) and kind in BROKEN_LINES and rng.random() < 0.1:
            self.files[name], line = _with_broken_line(rng, kind)
            self.broken = f"{name}:{line}"
            return name
        text = valid(rng, kind, odd=0 if self.broken else odd)
        chance = rng.random()
        if pack and not self.broken and chance < 0.05:
            name, text = packed(rng, name, text)
        elif pack and chance < 0.08 and not self.stdin:
            self.stdin = text
            return "-"
        elif chance < 0.1 and not self.broken and not (self.files or self.stdin):
            self.lost = True
            return rng.choice(["nosuch.txt", ".", "", "/dev/null", "a" * 300, "x\udcff.txt"])
        self.files[name] = text
        return name

    def page(self, rng: Random) -> None:
        """Ask for a page, seldom at an odd place."""
        if rng.random() < 0.15:
            usual = rng.random() < 0.7
            self.output = "page.html" if usual else rng.choice(["", ".", "no/such.html", *self.files, "a" * 300])
            self.command += ["--output", self.output]


def _with_broken_line(rng: Random, kind: Text) -> tuple[bytes, int]:
    text = kind(rng)
    end = b"\r\n" if b"\r\n" in text else b"\n"
    lines = text.removesuffix(end).split(end)
    place = rng.randint(1, len(lines))
    if kind is content.table and lines[0].count(b",") == 3:
        lines = [line.rpartition(b",")[0] for line in lines]
    broken = rng.choice(BROKEN_LINES[kind]).encode()
    if kind is content.letor and b"qid" in broken:
        # Another query in between would be refused at a later line, for its own reason.
        previous = lines[place - 1].split()[1]
        broken = broken.replace(b"qid:0", previous)
    lines.insert(place, broken)
    return end.join(lines) + end, place + 1


def _odd(rng: Random, *usual: str, odds: float = 0.25) -> str:
    """A usual value of an option, or an odd one."""
    if rng.random() >= odds:
        return rng.choice(usual)
    if rng.random() < 0.5:
        return rng.choice(ODD_TEXTS)
    return damaged(rng, rng.choice(usual).encode()).decode("utf-8", "surrogateescape").replace("\0", "")


_TOOLS = ("lightgbm", "sklearn", "trec_eval", "letor4", "ranklib", "xgboost", "all", "letor3,yahoo", "catboost", "ranx")
_METRICS = (
    *("ndcg@10", "ndcg@1..5", "map", "err", "p@5", "mrr@10", "recall@100", "success@5", "rprec", "f@10", "rbp(p=0.8)"),
    *("bpref", "infap", "judged@10", "numret", "dcg@5", "meanndcg", "tau", "ndcg@10(gain=linear,empty=skip)"),
    *("ndcg@10:letor4", "ndcg_cut_10", "P.5", "recip_rank", "nDCG@10", "P(rel=2)@5", "hit_rate@5", "ndcg_burges@10"),
)


def _maybe(rng: Random, case: Case, option: str, *usual: str, chance: float = 0.3) -> None:
    if rng.random() < chance:
        case.command += [option, _odd(rng, *usual, odds=0 if case.broken else 0.25)]


def _ranking(rng: Random, case: Case) -> None:
    """Give a ranking in one of the forms that eval, explain and identify take."""
    form = rng.randrange(10)
    if form < 4:
        data = case.put(rng, "data.txt", content.letor)
        known = case.files.get("data.txt") or case.stdin
        case.command += ["--data", data, "--scores", case.put(rng, "scores.txt", content.scores_for(known), odd=0.4)]
    elif form < 7:
        case.command += ["--qrels", case.put(rng, "q.qrels", content.qrels, odd=0.4)]
        case.command += ["--run", case.put(rng, "r.run", content.run, odd=0.4)]
    elif form == 7:
        name = rng.choice(["d.csv", "d.csv", "d.csv", "d.tsv", "d.parquet"])
        case.command += ["--data", case.put(rng, name, content.table)]
        if name != "d.csv":
            case.broken = None  # its header is refused already
        if case.broken is None:
            _maybe(rng, case, "--columns", "qid=qid", "label=rel,score=pred", "qid=query_id", chance=0.2)
    elif form == 8:
        case.command += ["--data", case.put(rng, rng.choice(["d.json", "d.jsonl"]), content.json_table)]
    elif rng.random() < 0.5:
        case.command += [
            "--data",
            case.put(rng, "d.tsv", content.catboost),
            "--cd",
            case.put(rng, "d.cd", content.description),
        ]
        case.command += ["--scores", case.put(rng, "s.txt", content.scores_for(case.files.get("d.tsv", b"")))]
    else:
        case.command += ["--data", case.put(rng, "rank.test", content.without_qid, pack=False)]
        rows = case.files.get("rank.test", b"")
        case.command += ["--scores", case.put(rng, "s.txt", content.scores_for(rows), odd=0.2)]
        case.command += ["--query-sizes", case.put(rng, "sizes", content.sizes_for(rows))]


def _eval(rng: Random) -> Case:
    case = Case(["eval"])
    _ranking(rng, case)
    if case.broken is None:
        _maybe(rng, case, "--tool", *_TOOLS)
        _maybe(rng, case, "--metric", *_METRICS, chance=0.4)
        _maybe(rng, case, "--fail-below", "ndcg@10=0.4", "ndcg@10=1", chance=0.05)
    _maybe(rng, case, "--format", "json", "csv", "table", "markdown", "latex", chance=0.7)
    if rng.random() < 0.1:
        case.command += ["--per-query"]
    return case


def _explain(rng: Random) -> Case:
    case = Case(["explain"])
    _ranking(rng, case)
    odds = 0 if case.broken else 0.15
    usual = ("lightgbm", "sklearn", "trec_eval", "ltrlib", "lightgbm(empty=0)", "ndcg@5:sklearn", "letor4")
    case.command += ["--between", _odd(rng, *usual, odds=odds), _odd(rng, *usual, odds=odds)]
    if case.broken is None:
        _maybe(rng, case, "--metric", *_METRICS[:4], chance=0.15)
        _maybe(rng, case, "--top", "3", "0", "100", chance=0.15)
        _maybe(rng, case, "--format", "json", "table", chance=0.6)
        case.page(rng)
    return case


def _identify(rng: Random) -> Case:
    case = Case(["identify"])
    _ranking(rng, case)
    case.command += ["--value", _odd(rng, "0.4970", "1", "0.63", "49.7%", "0.5", odds=0 if case.broken else 0.2)]
    if case.broken is None:
        _maybe(rng, case, "--metric", "ndcg", "ndcg@10", "map", chance=0.15)
        _maybe(rng, case, "--also", "ndcg@5=0.4512", chance=0.1)
        _maybe(rng, case, "--format", "json", "table", chance=0.5)
    return case


def _versus(rng: Random) -> Case:
    case = Case(["versus"])
    trec = rng.random() < 0.3
    folds = rng.randint(1, 2)
    for fold in range(1, folds + 1):
        labels = f"data{fold}.txt"
        case.files[labels] = valid(rng, content.qrels if trec else content.letor, odd=0.2)
        for method in "ab":
            for seed in range(1, rng.randint(1, 3) + 1):
                kind = content.run if trec else content.scores_for(case.files[labels])
                case.files[f"{method}{fold}-{seed}.txt"] = valid(rng, kind, odd=0.1)
    case.command += ["--qrels" if trec else "--data", _odd(rng, "data{fold}.txt", odds=0.1)]
    for method in "ab":
        case.command += ["--method", _odd(rng, method, odds=0.05), _odd(rng, method + "{fold}-{seed}.txt", odds=0.05)]
    _maybe(rng, case, "--metric", "ndcg@10", "map", "ndcg@1..3", chance=0.2)
    _maybe(rng, case, "--tool", "letor4", "sklearn", chance=0.1)
    _maybe(rng, case, "--baseline", "a", chance=0.1)
    _maybe(rng, case, "--margin", "0.01", "0", chance=0.2)
    _maybe(rng, case, "--level", "0.95", "0.5", chance=0.1)
    if rng.random() < 0.2:
        case.files["kinds.csv"] = valid(rng, content.attribute)
        case.command += ["--by", _odd(rng, "kinds.csv", "kinds.csv:kind", odds=0.1)]
    _maybe(rng, case, "--format", "json", "table", chance=0.6)
    case.page(rng)
    return case


def _meta(rng: Random) -> Case:
    case = Case(["meta"])
    case.command += [case.put(rng, "results.csv", content.results, pack=False)]
    _maybe(rng, case, "--format", "json", "csv", "table", chance=0.7)
    _maybe(rng, case, "--iwn", "formula", "reached", chance=0.2)
    if case.broken is None:
        _maybe(rng, case, "--metric", "MAP", "Mine", chance=0.1)
    return case


def _bagplot(rng: Random) -> Case:
    case = Case(["bagplot"])
    case.command += [case.put(rng, "points.csv", content.points, pack=False)]
    _maybe(rng, case, "--format", "json", "table", chance=0.7)
    return case


def _compare(rng: Random) -> Case:
    case = Case(["compare"])
    case.command += [case.put(rng, "mine.csv", content.results, pack=False)]
    if case.broken is None:
        _maybe(rng, case, "--convention", "ranklib", "letor4", "lightgbm", chance=0.2)
        _maybe(rng, case, "--among", "b6", "continued", chance=0.2)
        _maybe(rng, case, "--iwn", "formula", "reached", chance=0.1)
        _maybe(rng, case, "--without-doubt", "all", chance=0.1)
        if rng.random() < 0.05:
            case.command += ["--unstated"]
        _maybe(rng, case, "--format", "json", "text", chance=0.5)
        if rng.random() < 0.3:
            case.page(rng)
    return case


def _data(rng: Random) -> Case:
    action = _odd(rng, "import", "import", "import", "list", "show", "check", "get", odds=0.05)
    name = _odd(rng, "yahoo-set1", "yahoo-set1", "yahoo-set2", "mq2008", "mslr-web10k-sample", odds=0.15)
    if action != "import":
        return Case(["data", action, *([] if action == "list" else [name])])
    case = Case(["data", "import", name])
    files = {file: damaged(rng, text) if rng.random() < 0.04 else text for file, text in YAHOO.items()}
    for file in list(files):
        if rng.random() < 0.02:
            del files[file]
    kind = rng.random()
    if kind < 0.7:
        path, packed_files = archive(rng, files)
        case.files[path] = packed_files
        case.command.append(path)
    elif kind < 0.95:
        case.files |= {f"folder/{file}": text for file, text in files.items()}
        case.command.append("folder")
    else:
        case.command.append(_odd(rng, "nosuch.zip", "/dev/null", "."))
    if rng.random() < 0.3:
        case.command.append("--replace")
    return case


def _claims(rng: Random) -> Case:
    kind = rng.randrange(4)
    if kind == 0:
        return Case(["claims", "check", _odd(rng, "tax2015.nosuch", odds=0.7)])
    if kind == 1:
        return Case(["claims", "words", _odd(rng, "tax2015", "koppel2019"), _odd(rng, "winning number", "rank")])
    case = Case(["claims"])
    case.command += ["--paper", _odd(rng, "koppel2019", odds=0.6)]
    _maybe(rng, case, "--verdict", "exact", "not reproduced")
    _maybe(rng, case, "--cause", "tax2015.adarank-map")
    _maybe(rng, case, "--format", "json", "csv", "table")
    return case


def _results(rng: Random) -> Case:
    if rng.random() < 0.1:
        action = _odd(rng, "list", "doubts", "export", odds=0.3)
        case = Case(["results", action])
        if action == "export":
            case.output = rng.choice(["all.csv", ".", "", "no/such.csv"])
            case.command.append(case.output)
        return case
    case = Case(["results", "add"])
    case.command += [case.put(rng, "new.csv", content.publication, pack=False)]
    odds = 0 if case.broken else 0.08
    for option, usual in (("--source", "doe2020"), ("--publication", "Doe 2020"), ("--place", "Table 3")):
        case.command += [option, _odd(rng, usual, odds=odds)]
    if not case.broken:
        _maybe(rng, case, "--kind", "paper", "quoted", chance=0.1)
        _maybe(rng, case, "--note", "a note", chance=0.1)
    if rng.random() < 0.2:
        case.command.append("--check")
    return case


def _sweep(rng: Random) -> Case:
    case = Case(["sweep"], {"own.md": valid(rng, content.chapter, odd=0.3)})
    name = case.put(rng, rng.choice(["my.yml", "my sweep.yml"]), content.sweep, pack=False)
    case.command += ["show", name] if rng.random() < 0.1 else [name]
    if rng.random() < 0.6:
        case.command.append("--dry-run")
    _maybe(rng, case, "--workers", "1", "2", chance=0.2)
    _maybe(rng, case, "--mode", "reuse", "overwrite", "error", chance=0.2)
    _maybe(rng, case, "--metric", "x", chance=0.05)
    return case


def _rerun(rng: Random) -> Case:
    case = Case(["rerun", _odd(rng, "20-busafekete2012-metrics", "20", "42", "chapters/20-busafekete2012-metrics.md")])
    for _ in range(rng.randint(0, 2)):
        case.command += ["-p", _odd(rng, "cutoff=5", "dataset=standin/mq2008", "fold=2", "seed=x", odds=0.5)]
    if rng.random() < 0.2:
        case.command.append("--list")
    _maybe(rng, case, "--output", "page", "no/such", chance=0.2)
    return case


def _record(rng: Random) -> Case:
    case = Case(["record"])
    if rng.random() < 0.9:
        case.command.append(_odd(rng, "koppel2019/grid", "koppel2019", "nosuch", odds=0.5))
    _maybe(rng, case, "--minutes", "1", "0.1", chance=0.4)
    _maybe(rng, case, "--workers", "1", chance=0.4)
    if rng.random() < 0.2:
        case.command.append("--check")
    return case


def _model(rng: Random) -> Case:
    case = Case(["model"])
    if rng.random() < 0.3:
        case.command += ["convert", case.put(rng, "model.txt", content.model, pack=False)]
        case.output = "converted.txt"
        case.command += [case.output, "--to", _odd(rng, "ranklib", "lightgbm", odds=0.1)]
        return case
    case.command += ["score", case.put(rng, "model.txt", content.model, pack=False)]
    case.command += ["--data", case.put(rng, "data.txt", content.letor, pack=False)]
    case.broken = None  # the model may be refused first
    return case


def _doctor(rng: Random) -> Case:
    return Case(["doctor", *([_odd(rng, "--help", odds=0.9)] if rng.random() < 0.9 else [])])


def _none(rng: Random) -> Case:
    return Case([_odd(rng, "eval", "evil", "--version", "--help", odds=0.7) for _ in range(rng.randint(0, 3))])


MAKERS: dict[str, tuple[int, Callable[[Random], Case]]] = {
    "eval": (33, _eval),
    "explain": (12, _explain),
    "identify": (1, _identify),
    "versus": (6, _versus),
    "meta": (12, _meta),
    "bagplot": (10, _bagplot),
    "compare": (3, _compare),
    "data": (5, _data),
    "claims": (3, _claims),
    "results": (4, _results),
    "sweep": (6, _sweep),
    "rerun": (2, _rerun),
    "model": (2, _model),
    "record": (1, _record),
    "doctor": (1, _doctor),
    "": (1, _none),
}
"""How each command's cases are made, and how many of a hundred they are."""


def draw(seed: int, number: int) -> tuple[str, Case]:
    """Case of a number: the same whenever it is drawn."""
    rng = Random(f"{seed} {number}")
    names = list(MAKERS)
    name = rng.choices(names, [MAKERS[name][0] for name in names])[0]
    return name, MAKERS[name][1](rng)
