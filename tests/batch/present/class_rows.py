"""A class with every outcome that a student can have, and with hostile names."""

from typing import Any

from grader.batch.intake.source_entry import Submission
from grader.batch.present.student_summary import StudentResult
from grader.model import Report, Verdict
from tests.report import examples

SCRIPT = "<script>alert(1)</script>"
LINK = "“hugo/matmul.cu” is a link and not a file, so it was not read."
FORMULA = '=HYPERLINK("http://evil.example","A+")'


def fast(gflops: float) -> Report:
    """A correct report at `gflops`, where the naive kernel reaches 100 GFLOPS and the library 1000."""
    measured = examples.measurement(gflops=gflops, speedup=gflops / 100, fraction=gflops / 1000)
    library = examples.measurement(gflops=1000.0)
    return examples.report(
        measurements=(measured,), baselines={"naive": (examples.measurement(gflops=100.0),), "library": (library,)}
    )


def wrong() -> Report:
    return examples.report(results=(*examples.right(), examples.wrong(examples.LARGE, "repeated")), measurements=())


def crashed() -> Report:
    fault = examples.failed(examples.SMALL, "second", Verdict.CRASHED, SCRIPT)
    rest = examples.failed(examples.LARGE, "second", Verdict.SKIPPED)
    return examples.report(results=(fault, rest), measurements=())


def row(student: str, report: Report | None, **fields: Any) -> StudentResult:
    known = {"name": student.title(), "email": f"{student}@example.edu", **fields}
    return StudentResult(Submission(student, **known), report)


def rows() -> list[StudentResult]:
    return [
        row("anna", fast(500.0)),
        row("bert", fast(90.0), late="2 days"),
        row("cleo", fast(740.0)),
        row("dora", wrong()),
        row("evil", crashed(), name=SCRIPT),
        row("fred", examples.not_compiled(), name=FORMULA),
        row("gina", examples.broken_machine()),
        row("hugo", None, problem=LINK),
        row("ines", examples.broken_machine(infrastructure="The worker was lost three times.")),
    ]
