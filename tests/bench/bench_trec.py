"""Reading and scoring a TREC run of 5 million lines: processor time and peak memory, beside those of its peers.

Each reads the same files in a process of its own; the files are synthetic, 1,000 documents for each of 5,000 queries.
Give another number of lines as an argument to see that cost grows in proportion.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["main"]

LINES, PER_QUERY = 5_000_000, 1_000

PROGRAMS = {
    "pytrec_eval, reading": """
import pytrec_eval, sys
with open(sys.argv[1]) as qrels, open(sys.argv[2]) as run:
    both = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
""",
    "ltrlib, reading": """
import sys
from ltrlib.datasets.trec import read_qrels_table, read_run_table
both = read_qrels_table(sys.argv[1]), read_run_table(sys.argv[2])
""",
    "pytrec_eval, NDCG@10": """
import pytrec_eval, sys
with open(sys.argv[1]) as qrels, open(sys.argv[2]) as run:
    judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
found = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"}).evaluate(ranked)
print(sum(values["ndcg_cut_10"] for values in found.values()) / len(found))
""",
    "ir_measures, NDCG@10": """
import ir_measures, sys
qrels, run = ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2])
print(ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, run)[ir_measures.nDCG @ 10])
""",
    "ltrlib, NDCG@10": """
import sys
from ltrlib.datasets.trec import read_qrels_table, read_run_table
from ltrlib.metrics import evaluate
from ltrlib.metrics.files import judge
both = judge(read_qrels_table(sys.argv[1]), read_run_table(sys.argv[2]))
found = evaluate("ndcg@10:trec_eval", both.labels, both.scores, both.query_offsets, doc_ids=both.id_order,
                 judged=both.judged)
print(found["ndcg@10:trec_eval"].mean)
""",
}

MEASURED = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-c", *sys.argv[1:]], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime, used.ru_maxrss)
"""


def _write(folder: Path, lines: int) -> tuple[Path, Path]:
    generator = random.Random(1)
    qrels, run = folder / "qrels", folder / "run"
    with qrels.open("w") as judged, run.open("w") as ranked:
        for line in range(lines):
            query, place = divmod(line, PER_QUERY)
            document = f"FBIS3-{generator.getrandbits(30):010d}-{place}"
            ranked.write(f"{query} Q0 {document} {place + 1} {generator.random() * 30:.6f} bench\n")
            if line % 20 == 0:
                judged.write(f"{query} 0 {document} {line // 20 % 3}\n")
    return qrels, run


def main() -> None:
    """Print one line per program."""
    lines = int(sys.argv[-1]) if sys.argv[-1].isdigit() else LINES
    with tempfile.TemporaryDirectory() as folder:
        files = [str(file) for file in _write(Path(folder), lines)]
        print(f"{lines:,} lines")
        for name, program in PROGRAMS.items():
            # A process in between, so that the largest child so far does not hide a smaller one.
            command = [sys.executable, "-c", MEASURED, program, *files]
            ran = subprocess.run(command, capture_output=True, text=True, check=True)
            *value, used = ran.stdout.split("\n")[:-1]
            seconds, kilobytes = used.split()
            print(f"{name:24} {float(seconds):6.2f} s  {int(kilobytes) / 1000:6,.0f} MB  {' '.join(value)}")


if __name__ == "__main__":
    main()
