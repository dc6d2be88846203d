"""Texts that break formats if a writer does not escape them, and reports and students that consist of such texts."""

import random
from collections.abc import Callable
from dataclasses import replace

from grader.batch.intake.source_entry import Submission
from grader.batch.present.student_summary import StudentResult
from grader.model import Criterion, Fault, Interface, Report, Source, Verdict
from tests.report import examples

PIECES = (
    *("<x-evil onevil=1>", "<script>evil()</script>", "</td></table></style>", "<!--", "-->", "]]>", "&#0;", "&lt;"),
    *('" onevil="1', "' onevil='1", "{{7*7}}", "{% raw %}", "`", "|", "**", "[x](javascript:evil)", "</pre>", "# "),
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", ";", ",", '"', "'", "::error::evil", "::stop-commands::x", "##[error]"),
    *("[[ATTACHMENT|/etc/passwd]]", "[red]", "%0A", "%", "\\", "\\n", "../..", "nul", "$(evil)"),
    *("\x1b[31m", "\x1b]0;x\x07", "\n", "\r\n", "\r"),
    *("\x00", "\x08", "\x85", "\u2028", "\u202e", "\ud800", "\udcff", "\ufffe", "\ufffd"),
    *("\U0001f600", "e\u0301", "行列", " ", "A" * 300, "NaN", "null", "1e999", "--", "ada", "matmul.cu"),
)  # fmt: skip
Text = Callable[[], str]


def texts(chance: random.Random) -> Text:
    """Return a function that makes a text of up to six pieces."""

    def text() -> str:
        return "".join(chance.choice((*PIECES, chr(chance.randrange(0x110000)))) for _ in range(chance.randint(1, 6)))

    return text


def report(text: Text, *, compiles: bool = True) -> Report:
    """Return a report in which every text that a student or an instructor may write is made by `text`."""
    criteria = tuple(Criterion(rule.id, text(), rule.kind, rule.points) for rule in examples.rubric().criteria[:2])
    fault = Fault(Verdict.CRASHED, text(), text(), 3, text())
    failed = replace(examples.failed(examples.LARGE, "second", Verdict.CRASHED), fault=fault, printed=text())
    right = tuple(replace(result, tolerated=fault, remark=text()) for result in examples.right())
    whole = examples.simulated(
        source=Source(text(), examples.HASH, 1, 2),
        rubric=examples.rubric(title=text(), interface=Interface(text(), ("A", "B", "C", "N")), criteria=criteria),
        build=replace(examples.build(), log=text()),
        results=(*right, failed),
    )
    if compiles:
        return whole
    broken = Fault(Verdict.COMPILE_ERROR, text(), text(), 3, text())
    return examples.simulated(source=whole.source, rubric=whole.rubric, build=None, fault=broken, results=())


def students(text: Text, count: int) -> list[StudentResult]:
    """Return a class in which names, addresses, problems and reports are made by `text`; folders have safe names."""
    rows = []
    for number in range(count):
        late, problem = text() if number % 5 == 0 else "", text() if number % 7 == 0 else ""
        submission = Submission(f"s{number}", text(), text(), file=text(), late=late, problem=problem)
        rows.append(StudentResult(submission, None if problem else report(text, compiles=number % 3 > 0)))
    return rows
