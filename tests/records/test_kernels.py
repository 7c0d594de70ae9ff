"""Protects the records that hold metric values: none stays current when a kernel of the metrics changes."""

from __future__ import annotations

from ltrlib.records.definitions import _read_installed, find_code
from ltrlib.records.making import all_runs

KERNELS = "ltrlib.metrics.kernels"


def test_a_changed_number_in_a_metric_kernel_reaches_every_record_of_metric_values() -> None:
    makers = {table.maker for run in all_runs() for table in run.tables}
    scored = {maker for maker in makers if KERNELS in find_code(maker).definitions}
    # Winning numbers, the costs of sweeps, the spread of features and simulated studies are not metric values.
    other = (".tax2015.", ".rerun.", "ltrlib.claims.runs:", ".features.runs:SPREAD_RUN", ".our_runs.runs:COVERAGE")
    assert all(any(part in maker for part in other) for maker in makers - scored)

    def changed(module: str) -> str | None:
        text = _read_installed(module)
        return text.replace("np.uint64(1)", "np.uint64(2)") if module == KERNELS and text else text

    def reworded(module: str) -> str | None:
        text = _read_installed(module)
        return text.replace('"""', '"""In other words: ', 1) if module == KERNELS and text else text

    for maker in scored:
        now = find_code(maker).fingerprint
        assert find_code(maker, read=changed).fingerprint != now, maker
        assert find_code(maker, read=reworded).fingerprint == now, maker
