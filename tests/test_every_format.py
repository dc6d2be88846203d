from __future__ import annotations

import re

from tests.every_format import for_instructors, for_students
from tests.report import examples


def test_no_format_counts_the_sizes_of_a_file_that_never_compiled() -> None:
    for report in (examples.not_compiled(), examples.simulated(**_uncompiled())):
        for name, text in {**for_students(report), **for_instructors(report)}.items():
            assert not re.search(r"\b0 of \d+ (sizes|cases|answers)|\bat 0 of", text), name


def test_speeds_have_thousands_separators_wherever_a_reason_has_them() -> None:
    fast = examples.report(measurements=(examples.measurement(gflops=8135.0),))
    for name, text in for_students(fast).items():
        assert not re.search(r"\b8135 GFLOPS", text), name
        if name in {"report.json", "report.html", "grade run", "gradescope"}:
            assert "8,135 GFLOPS" in text, name


def _uncompiled() -> dict[str, object]:
    broken = examples.not_compiled()
    return {"build": None, "fault": broken.fault, "results": ()}
