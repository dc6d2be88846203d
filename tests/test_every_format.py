import random
import re

from tests import hostile_texts
from tests.every_format import for_instructors, for_students
from tests.report import examples
from tests.well_formed import structure


def test_no_format_counts_the_sizes_of_a_file_that_never_compiled() -> None:
    for report in (examples.not_compiled(), examples.simulated(**_uncompiled())):
        for name, text in {**for_students(report), **for_instructors(report)}.items():
            assert not re.search(r"\b0 of \d+ (sizes|cases|answers)|\bat 0 of", text), name


def test_hostile_texts_stay_texts_in_every_format() -> None:
    chance = random.Random(1)  # noqa: S311 - draws texts, and no secret
    for compiles in (True, False):
        plain = for_students(hostile_texts.report(lambda: "plain", compiles=compiles), b"plain\n" * 9)
        known = {name: structure(name, text) for name, text in plain.items()}
        for _ in range(5):
            text = hostile_texts.texts(chance)
            content = "\n".join(text() for _ in range(9)).encode(errors="replace")
            for name, shown in for_students(hostile_texts.report(text, compiles=compiles), content).items():
                assert structure(name, shown) <= known[name], name


def test_speeds_have_thousands_separators_wherever_a_reason_has_them() -> None:
    fast = examples.report(measurements=(examples.measurement(gflops=8135.0),))
    for name, text in for_students(fast).items():
        assert not re.search(r"\b8135 GFLOPS", text), name
        if name in {"report.json", "report.html", "grade run", "gradescope"}:
            assert "8,135 GFLOPS" in text, name


def _uncompiled() -> dict[str, object]:
    broken = examples.not_compiled()
    return {"build": None, "fault": broken.fault, "results": ()}
