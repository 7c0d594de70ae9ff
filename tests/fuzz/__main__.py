"""Run many fuzzed inputs: ``python -m tests.fuzz [INPUTS] [SEED] [FIRST]``."""

from __future__ import annotations

import sys
import time

from tests.fuzz.running import Outcome, run_many

inputs, seed, first = [int(word) for word in (*sys.argv[1:], *("100000", "0", "0")[len(sys.argv) - 1 :])]
begin = time.perf_counter()


def report(problem: str, seen: Outcome) -> None:
    """Show a problem as soon as it is found."""
    print(f"{problem}\n{(seen.trace or seen.err)[-1500:]}", flush=True)


counts, problems = run_many(range(first, first + inputs), seed, report)
for name, codes in counts.items():
    shown = ", ".join(f"{count:,} exit {code}" for code, count in sorted(codes.items()))
    print(f"{name or 'no command':10} {sum(codes.values()):>7,}: {shown}")
print(f"{inputs:,} inputs, {len(problems)} problems, {time.perf_counter() - begin:.0f} s")
sys.exit(bool(problems))
