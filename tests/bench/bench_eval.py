"""Scoring TREC runs and LETOR files, beside the tools of the field and up to 50 million rows: time and peak memory.

Every program runs in a process of its own and is measured from outside: processor time (user and system), and the
largest resident memory. The files are made up. "Cold" is one run in a new process, imports included; "warm" is what
each further run costs in the same process, from scoring a hundred of them. Best of three, beyond a million rows of one.

Arguments: ``peers``, ``reading``, ``trec``, ``letor``, ``features`` choose parts; a number limits the rows, which is 5
million otherwise (50 million need 10 GB of disk). ``readme`` puts the tables of these parts into README.md.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

__all__ = ["main"]

PEERS = {
    "pytrec_eval": """
import pytrec_eval, sys
with open(sys.argv[1]) as file:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"ndcg_cut.10"})
for name in sys.argv[2:]:
    with open(name) as file:
        found = evaluator.evaluate(pytrec_eval.parse_run(file))
    print(sum(values["ndcg_cut_10"] for values in found.values()) / len(found))
""",
    "ir_measures": """
import ir_measures, sys
measure = ir_measures.nDCG @ 10
evaluator = ir_measures.evaluator([measure], ir_measures.read_trec_qrels(sys.argv[1]))
for name in sys.argv[2:]:
    print(evaluator.calc_aggregate(ir_measures.read_trec_run(name))[measure])
""",
    "ranx": """
import sys, warnings
warnings.simplefilter("ignore")
import ranx
qrels = ranx.Qrels.from_file(sys.argv[1], kind="trec")
for name in sys.argv[2:]:
    print(ranx.evaluate(qrels, ranx.Run.from_file(name, kind="trec"), "ndcg@10", make_comparable=True))
""",
    "ltrlib": """
import sys
from ltrlib.cli import main
main(["eval", "--qrels", sys.argv[1], "--run", *sys.argv[2:], "--metric", "ndcg@10", "--tool", "trec_eval",
      "--format", "csv"])
""",
}
READING = {
    "pytrec_eval": """
import pytrec_eval, sys
with open(sys.argv[1]) as qrels, open(sys.argv[2]) as run:
    both = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
""",
    "ir_measures": """
import ir_measures, sys
both = list(ir_measures.read_trec_qrels(sys.argv[1])), list(ir_measures.read_trec_run(sys.argv[2]))
""",
    "ltrlib": """
import sys
from ltrlib.datasets.trec import read_qrels_table, read_run_table
both = read_qrels_table(sys.argv[1]), read_run_table(sys.argv[2])
""",
}
MEASURED = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-c", *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.stdout.split()[-1] if done.stdout else "-")
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, done.returncode)
"""
PER_QUERY = 1_000


class Cost(NamedTuple):
    """Processor seconds and peak megabytes of a program, and the last word that it printed."""

    seconds: float
    megabytes: float
    said: str


def measure(program: str, *arguments: str, times: int = 3) -> Cost:
    """Run a program some times, and keep the best."""
    # Installed packages come with compiled Python; so should what is measured here.
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    found = []
    for _ in range(times):
        # A process in between, so that the largest child so far does not hide a smaller one.
        command = [sys.executable, "-c", MEASURED, program, *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
        said, used = ran.stdout.strip().split("\n")
        seconds, megabytes, code = used.split()
        if code != "0":
            return Cost(float("nan"), float("nan"), ran.stderr.strip().split("\n")[-1])
        found.append(Cost(float(seconds), float(megabytes), said))
    return min(found)


def write_trec(folder: Path, lines: int, *, runs: int = 1) -> tuple[str, list[str]]:
    """Judgments of every twentieth document, and runs of a thousand documents per query."""
    generator = random.Random(1)
    names = [f"FBIS3-{generator.getrandbits(30):010d}-{place}" for place in range(PER_QUERY)]
    judged = "".join(f"@ 0 {name} {place // 20 % 3}\n" for place, name in enumerate(names) if place % 20 == 0)
    qrels = folder / f"{lines}.qrels"
    with qrels.open("w") as file:
        for query in range(lines // PER_QUERY):
            file.write(judged.replace("@", str(query)))
    files = []
    for number in range(runs):
        # Some score lists, used in turn: writing them anew for each query would take longer than all measurements.
        texts = [
            "".join(f"@ Q0 {name} {r + 1} {generator.random() * 30:.6f} bench\n" for r, name in enumerate(names))
            for _ in range(7)
        ]
        files.append(folder / f"{lines}-{number}.run")
        with files[-1].open("w") as file:
            for query in range(lines // PER_QUERY):
                file.write(texts[query % len(texts)].replace("@", str(query)))
    return str(qrels), list(map(str, files))


def write_letor(folder: Path, rows: int, features: int) -> tuple[str, str]:
    """Documents, a hundred per query, with features of six decimals; and their scores."""
    generator = random.Random(2)
    data, scores = folder / f"{rows}x{features}.txt", folder / f"{rows}.scores"
    texts = []
    for _ in range(5):
        lines = []
        for place in range(100):
            values = " ".join(f"{index}:{generator.random():.6f}" for index in range(1, features + 1))
            lines.append(f"{generator.randrange(5)} qid:@ {values} #docid = GX{place:04d}\n")
        texts.append("".join(lines))
    ranked = ["".join(f"{generator.gauss(0, 1):.6f}\n" for _ in range(100)) for _ in range(7)]
    with data.open("w") as labelled, scores.open("w") as scored:
        for query in range(rows // 100):
            labelled.write(texts[query % 5].replace("@", str(query)))
            scored.write(ranked[query % 7])
    return str(data), str(scores)


Table = list[list[str]]


def peers(folder: Path, _: int) -> Table:
    """One run and a hundred, of 50 queries and 1,000 documents each."""
    qrels, runs = write_trec(folder, 50_000, runs=100)
    head = ["NDCG@10, 50 queries × 1,000 documents", "cold, s", "a hundred, s", "warm, s each", "peak, MB", "value"]
    table = [head]
    for name, program in PEERS.items():
        measure(program, qrels, runs[0], times=1)  # writes what is kept from run to run
        one, hundred = measure(program, qrels, runs[0]), measure(program, qrels, *runs, times=1)
        value = one.said.rpartition(",")[2]
        warm = (hundred.seconds - one.seconds) / (len(runs) - 1)
        cells = [f"{one.seconds:.2f}", f"{hundred.seconds:.2f}", f"{warm:.3f}", f"{hundred.megabytes:.0f}", value[:8]]
        table.append([name, *cells])
    return table


def reading(folder: Path, most: int) -> Table:
    """Whole files into memory, without a metric."""
    lines = min(most, 5_000_000)
    qrels, (run,) = write_trec(folder, lines)
    table = [[f"reading qrels and a run of {lines:,} lines", "s", "MB"]]
    for name, program in READING.items():
        cost = measure(program, qrels, run)
        table.append([name, f"{cost.seconds:.2f}", f"{cost.megabytes:.0f}"])
    return table


def trec(folder: Path, most: int) -> Table:
    """One run of growing length."""
    table = [["NDCG@10 of a TREC run, lines", "ltrlib, s", "µs a line", "MB", "pytrec_eval, s", "MB"]]
    for lines in SIZES:
        if lines > most:
            break
        qrels, (run,) = write_trec(folder, lines)
        times = 3 if lines <= 1_000_000 else 1
        ours = measure(PEERS["ltrlib"], qrels, run, times=times)
        cells = [f"{lines:,}", f"{ours.seconds:.2f}", f"{1e6 * ours.seconds / lines:.2f}", f"{ours.megabytes:.0f}"]
        if lines <= 5_000_000:  # it keeps everything: five million lines are a gigabyte
            theirs = measure(PEERS["pytrec_eval"], qrels, run, times=times)
            cells += [f"{theirs.seconds:.2f}", f"{theirs.megabytes:.0f}"]
        table.append([*cells, *["–"] * (6 - len(cells))])
        Path(run).unlink()
        Path(qrels).unlink()
    return table


LETOR = """
import sys
from ltrlib.cli import main
main(["eval", "--data", sys.argv[1], "--scores", sys.argv[2], "--tool", sys.argv[3], "--format", "csv"])
"""
READ = """
import sys
from ltrlib.datasets.letor import read_letor
print(read_letor(sys.argv[1], threads=1).labels.size)
"""


def letor(folder: Path, most: int) -> Table:
    """LETOR text of growing length: with ties by row, and by document id."""
    table = [
        ["NDCG@10 of LETOR text, 5 features, rows", "own rules, s", "µs a row", "MB", "trec_eval's (ids), s", "MB"]
    ]
    for rows in SIZES:
        if rows > most:
            break
        files = write_letor(folder, rows, 5)
        times = 3 if rows <= 1_000_000 else 1
        own = measure(LETOR, *files, "ltrlib", times=times)
        cells = [f"{rows:,}", f"{own.seconds:.2f}", f"{1e6 * own.seconds / rows:.2f}", f"{own.megabytes:.0f}"]
        print(*cells, file=sys.stderr, flush=True)
        ids = measure(LETOR, *files, "trec_eval", times=times)
        table.append([*cells, f"{ids.seconds:.2f}", f"{ids.megabytes:.0f}"])
        for file in files:
            Path(file).unlink()
    return table


def features(folder: Path, most: int) -> Table:
    """Files of the width of MSLR-WEB30K: eval beside the reader that keeps the features."""
    table = [["LETOR text, 136 features, rows", "NDCG@10, s", "MB", "reading all features, s", "MB"]]
    for rows in (500_000, 5_000_000):
        if rows > most:
            break
        files = write_letor(folder, rows, 136)
        ours = measure(LETOR, *files, "ltrlib", times=1)
        read = measure(READ, files[0], times=1)
        cells = [f"{ours.seconds:.2f}", f"{ours.megabytes:.0f}", f"{read.seconds:.2f}", f"{read.megabytes:.0f}"]
        table.append([f"{rows:,}", *cells])
        for file in files:
            Path(file).unlink()
    return table


PARTS = {"peers": peers, "reading": reading, "trec": trec, "letor": letor, "features": features}
SIZES = (10_000, 100_000, 1_000_000, 5_000_000, 50_000_000)
README = Path(__file__).parents[2] / "README.md"


def markdown(table: Table) -> str:
    """Write a table; numbers to the right."""
    rows = [table[0], ["---", *["--:"] * (len(table[0]) - 1)], *table[1:]]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def put_into_readme(part: str, text: str) -> None:
    """Replace the table of a part."""
    begin, end = f"<!-- measured: {part} -->\n", "\n<!-- end -->"
    before, marker, rest = README.read_text(encoding="utf-8").partition(begin)
    if not marker:
        raise SystemExit(f"README.md has no place for {part}")
    README.write_text(f"{before}{begin}{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


def main() -> None:
    """Print one table per part."""
    chosen = [part for part in PARTS if part in sys.argv[1:]] or list(PARTS)
    most = next((int(word) for word in sys.argv[1:] if word.isdigit()), 5_000_000)
    for part in chosen:
        with tempfile.TemporaryDirectory() as folder:
            text = markdown(PARTS[part](Path(folder), most))
        print(text, end="\n\n", flush=True)
        if "readme" in sys.argv[1:]:
            put_into_readme(part, text)


if __name__ == "__main__":
    main()
