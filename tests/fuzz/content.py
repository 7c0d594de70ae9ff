"""Valid contents of every kind of file that a command reads, and the ways in which they are damaged."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable
from random import Random

__all__ = ["BROKEN_LINES", "ODD_TEXTS", "Text", "damaged", "packed", "valid"]

Text = Callable[[Random], bytes]

ODD_TEXTS = (
    *("", " ", "-", "--", "-1", "0", "1", "nan", "inf", "-inf", "1e999", "1e-999", "0x10", "1_0", "٣", "1,5", "½"),
    *("99999999999999999999", "2147483648", "-2147483649", "9" * 400, "é", "ü" * 300, "a" * 5000, "\u202e", "\ufeff"),
    *("<b>x</b>", "=1+1", "@SUM(1)", "%s%n", "{fold}", "{}", "${HOME}", "../..", "/", ".", "/dev/null", "nosuch"),
    *("null", "true", "[]", "'", '"', "\\", "\x1b[31m", "\x7f", "#", ":", "::", "=", "a=b", "(", ")", "()", "@", "a@b"),
)
_ODD_BYTES = (
    b"\xff",
    b"\x00",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n",
    b"\t",
    b"\v",
    b"\x85",
    b"\xa0",
    b"\xc2\xa0",
    b"\xef\xbb\xbf",
)

_METHODS = ("RankNet", "ListNet", "MART", "A, B", "=cmd", "ü")
_DATASETS = ("LETOR 4.0 MQ2008", "LETOR 3.0 OHSUMED", "MQ2008", "LETOR 4.0 MQ2007", "Yahoo Set 1")
_METRICS = ("NDCG@3", "NDCG@5", "NDCG@10", "MAP")


def letor(rng: Random) -> bytes:
    """Documents with labels and queries."""
    lines, ids = [], rng.random() < 0.3
    for query in range(rng.randint(1, 4)):
        for document in range(rng.randint(1, 6)):
            features = " ".join(f"{index}:{rng.random():.3f}" for index in range(1, rng.randint(1, 4)))
            lines.append(f"{rng.randint(0, 4)} qid:{query} {features}" + (f" #docid = D{document}" if ids else ""))
    return _joined(rng, lines)


def without_qid(rng: Random) -> bytes:
    """Rows as LightGBM's example has them."""
    return _joined(rng, [f"{rng.randint(0, 4)} 1:{rng.random():.3f}" for _ in range(rng.randint(1, 8))])


def scores_for(data: bytes) -> Text:
    """Scores for the rows of a file, with ties."""

    def scores(rng: Random) -> bytes:
        rows = sum(1 for line in data.split(b"\n") if line.partition(b"#")[0].strip())
        return _joined(rng, [f"{rng.choice([rng.random(), rng.randint(-2, 2)])}" for _ in range(rows)])

    return scores


def sizes_for(data: bytes) -> Text:
    """Query sizes that add up to the rows of a file."""

    def sizes(rng: Random) -> bytes:
        left, found = data.strip().count(b"\n") + 1, []
        while left > 0:
            found.append(rng.randint(1, left))
            left -= found[-1]
        return _joined(rng, [str(size) for size in found])

    return sizes


def qrels(rng: Random) -> bytes:
    """TREC judgments."""
    rows = [f"{q} 0 d{d} {rng.randint(-1, 3)}" for q in range(rng.randint(1, 4)) for d in range(rng.randint(1, 6))]
    return _joined(rng, rows)


def run(rng: Random) -> bytes:
    """A TREC run."""
    queries = range(rng.randint(1, 4))
    rows = [
        f"{q} Q0 d{d} {d + 1} {rng.choice([rng.random(), 1])} tag" for q in queries for d in range(rng.randint(1, 8))
    ]
    return _joined(rng, rows)


def table(rng: Random) -> bytes:
    """A table with a row per document."""
    head = rng.choice(["qid,label,score", "query_id,rel,pred", "qid,label,score,doc_id"])
    more = head.count(",") == 3
    rows = [
        f"{q},{rng.randint(0, 4)},{rng.choice([rng.random(), 1])}" + (f",d{d}" if more else "")
        for q in range(rng.randint(1, 4))
        for d in range(rng.randint(1, 6))
    ]
    return _joined(rng, [head, *rows])


def json_table(rng: Random) -> bytes:
    """The same as JSON records or as columns."""
    rows = [
        {"qid": f"q{q}", "label": rng.randint(0, 4), "score": rng.random()}
        for q in range(rng.randint(1, 4))
        for _ in range(rng.randint(1, 5))
    ]
    if rng.random() < 0.4:
        return "\n".join(map(json.dumps, rows)).encode()
    kept = {name: [row[name] for row in rows] for name in rows[0]} if rng.random() < 0.4 else rows
    return json.dumps(kept, indent=rng.choice([None, 1])).encode()


def catboost(rng: Random) -> bytes:
    """CatBoost's rows: label, group, feature."""
    rows = [f"{rng.randint(0, 3)}\t{q}\t{rng.random():.2f}" for q in range(rng.randint(1, 3)) for _ in range(3)]
    return _joined(rng, rows)


def description(rng: Random) -> bytes:
    """CatBoost's column description."""
    return _joined(rng, ["0\tLabel", "1\tGroupId", "2\tNum\tfirst"])


def results(rng: Random) -> bytes:
    """Results of methods on data sets."""
    lines = [f'"{m}",{d},{k},{rng.random() * 0.3:.3f}' for m in _METHODS for d in _DATASETS[:3] for k in _METRICS]
    return _joined(rng, ["method,dataset,metric,value", *rng.sample(lines, rng.randint(1, 12))])


def publication(rng: Random) -> bytes:
    """Results of a publication, to add."""
    lines = [
        f'"{m}",{d},{k},{rng.choice(["1", "mean"])},{rng.random() * 0.3:.3f},2020,{rng.choice(["letor4", "ranklib"])}'
        for m in _METHODS[:4]
        for d in _DATASETS[:2]
        for k in _METRICS
    ]
    return _joined(rng, ["method,dataset,metric,fold,value,year,convention", *rng.sample(lines, rng.randint(1, 8))])


def points(rng: Random) -> bytes:
    """Points in the plane, with ties and lines."""
    kinds: tuple[Callable[[], float], ...] = (
        lambda: rng.randint(0, 3),
        lambda: round(rng.random(), 2),
        lambda: rng.gauss(0, 1e6),
    )
    number = rng.choice(kinds)
    return _joined(rng, ["x,y", *(f"{number()},{number()}" for _ in range(rng.randint(1, 30)))])


def attribute(rng: Random) -> bytes:
    """A kind for each query."""
    return _joined(rng, ["qid,kind", *(f"{query},{rng.choice('ab')}" for query in range(5))])


def sweep(rng: Random) -> bytes:
    """A sweep over a chapter of the book, or over the user's own."""
    chapter = rng.choice(["20-busafekete2012-metrics", "own.md"])
    name, values = ("cutoff", [3, 5, 10]) if chapter != "own.md" else ("number", [1, 2, 3])
    some = rng.sample(values, rng.randint(1, 3))
    grid = f"grid: {{{name}: {some}}}" if rng.random() < 0.6 else f"points: {[{name: value} for value in some]}"
    return _joined(rng, ["about: a sweep", f"chapter: {chapter}", grid])


def chapter(rng: Random) -> bytes:
    """A chapter of the user's own."""
    return (
        b"---\nkernelspec: {name: python3, language: python, display_name: Python 3}\n"
        b"jupytext: {text_representation: {extension: .md, format_name: myst}}\n---\n# Own\n\n"
        b"```{code-cell}\n:tags: [parameters]\nnumber: int = 5  # what to square, 0 to 100\n```\n\n"
        b"```{code-cell}\nprint(number)\n```\n"
    )


def model(rng: Random) -> bytes:
    """A linear model as RankLib writes it."""
    return _joined(
        rng, ["## Coordinate Ascent", "## Restart = 5", " ".join(f"{i}:{rng.random():.3f}" for i in (1, 2, 3))]
    )


def valid(rng: Random, kind: Text, *, odd: float = 0.6) -> bytes:
    """Content of a kind, mostly damaged."""
    content = kind(rng)
    return damaged(rng, content) if rng.random() < odd else content


def _joined(rng: Random, lines: list[str]) -> bytes:
    end = rng.choice(["\n", "\n", "\n", "\r\n"])
    return (end.join(lines) + (end if rng.random() < 0.8 else "")).encode()


def damaged(rng: Random, content: bytes) -> bytes:
    """Change a content in a few places: bytes, fields, lines, cuts."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        place, kind = rng.randint(0, len(content)), rng.randrange(9)
        if kind == 0 and content:
            place = rng.randrange(len(content))
            content = content[:place] + bytes([content[place] ^ (1 << rng.randrange(8))]) + content[place + 1 :]
        elif kind == 1:
            content = content[:place] + rng.choice(_ODD_BYTES) + content[place:]
        elif kind == 2:
            content = content[:place] + content[place + rng.randint(1, 30) :]
        elif kind == 3:
            content = content[:place]
        elif kind in (4, 5):
            pieces = re.split(rb"([\s:,=\"{}\[\]]+)", content)
            pieces[rng.randrange(len(pieces))] = rng.choice(ODD_TEXTS).encode()
            content = b"".join(pieces)
        elif kind == 6:
            lines = content.split(b"\n")
            line = rng.choice(lines)
            lines.insert(rng.randint(0, len(lines)), line)
            content = b"\n".join(lines)
        elif kind == 7:
            lines = content.split(b"\n")
            rng.shuffle(lines)
            content = b"\n".join(lines)
        else:
            content = rng.choice(
                [b"\xef\xbb\xbf" + content, content.decode("utf-8", "replace").encode("utf-16"), b"", content * 2]
            )
    return content


def packed(rng: Random, name: str, content: bytes) -> tuple[str, bytes]:
    """A compressed file, seldom damaged."""
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": _gzipped, ".xz": lzma.compress, ".bz2": bz2.compress}
    ending = rng.choice(list(packers))
    found = packers[ending](content)
    return name + ending, damaged(rng, found) if rng.random() < 0.3 else found


def _gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def archive(rng: Random, files: dict[str, bytes]) -> tuple[str, bytes]:
    """An archive with some files, and sometimes with what none should hold."""
    buffer = io.BytesIO()
    evil = rng.choice([None, None, "../evil", "/evil", "C:evil", "link", "device", "twice"])
    if rng.random() < 0.4:
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, content in files.items():
                zipped.writestr(name, content)
            if evil in ("../evil", "/evil", "C:evil"):
                zipped.writestr(evil, b"x")
        return "set.zip", _seldom_damaged(rng, buffer.getvalue())
    kind = rng.choice(["", "gz", "bz2", "xz"])
    with tarfile.open(fileobj=buffer, mode=f"w:{kind}") as tarred:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tarred.addfile(info, io.BytesIO(content))
            if evil == "twice":
                tarred.addfile(info, io.BytesIO(content))
        if evil in ("../evil", "/evil", "C:evil"):
            info = tarfile.TarInfo(evil)
            info.size = 1
            tarred.addfile(info, io.BytesIO(b"x"))
        elif evil in ("link", "device"):
            info = tarfile.TarInfo("set1.train.txt")
            info.type, info.linkname = (tarfile.SYMTYPE, "/etc/passwd") if evil == "link" else (tarfile.CHRTYPE, "")
            tarred.addfile(info)
    return f"set.tar{'.' if kind else ''}{kind}", _seldom_damaged(rng, buffer.getvalue())


def _seldom_damaged(rng: Random, content: bytes) -> bytes:
    return damaged(rng, content) if rng.random() < 0.4 else content


BROKEN_LINES: dict[Text, tuple[str, ...]] = {
    letor: ("x qid:0 1:1", "1 qod:0 1:1", "-1 qid:0 1:1", "1.5 qid:0 1:1", "99999999999 qid:0"),
    qrels: ("1 0 d", "1 0 d1 x", "1 0 d1 9999999999999", "0 0 d0 1 2 3 4"),
    run: ("1 Q0 d", "1 Q0 d 1 x t", "1 Q0 d 1 nan t"),
    table: ("q,1", "q,x,1", "q,-1,1", "q,1,x", "q,1,nan", ",1,1"),
    results: ("a,b,c", "a,LETOR 4.0 MQ2008,MAP,x", "a,LETOR 4.0 MQ2008,MAP,7", ",LETOR 4.0 MQ2008,MAP,0.1"),
    points: ("1", "1,2,3", "1,x", "nan,1", "1,inf"),
    publication: ("a,LETOR 4.0 MQ2008,MAP,mean,7,2020,letor4", "a,b", "a,LETOR 4.0 MQ2008,MAP,mean,x,2020,letor4"),
}
"""Lines that no file of a kind may hold, behind its first line."""
