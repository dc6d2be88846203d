"""Feedback for a student in plain text: each mistake once, with its location and what to try."""

from __future__ import annotations

from dataclasses import replace

from grader.export import points
from grader.model import Fault, Measurement, Report, Source
from grader.model.reports import leading_faults
from grader.rubric.rounding import shown
from grader.text import advice_text
from grader.text.clean import clean, one_line, shorten
from grader.text.numbers import speed_in_words
from grader.text.remarks import hidden_note

LONGEST_SENTENCE = 500
LONGEST_DETAIL = 4000
LONGEST_EXPLANATION = 20_000
MOST_MISTAKES = 10  # GitHub shows as many errors of one step


def in_a_line(mistake: Fault, source: Source) -> str:
    """Return the mistake in one line, with its location in the submission `source`."""
    name, line = source.place(mistake.line or 0)
    place = f"{one_line(name, 80)}:{line}: " if mistake.line else ""
    return f"{mistake.verdict.words}: {place}{mistake.sentence}"


def with_hint(mistake: Fault, first: str) -> str:
    """Return the line `first`, the hint, and the output of the compiler or the checker."""
    hint = f"Hint: {mistake.hint}" if mistake.hint else ""
    return "\n".join(part for part in (first, hint, mistake.detail) if part)


def paragraph(mistake: Fault, source: Source) -> str:
    """Return the whole mistake, with its location in the submission `source`."""
    return with_hint(mistake, in_a_line(mistake, source))


def every_mistake(report: Report) -> list[Fault]:
    """Return the mistakes of the submission, the root cause first, in clean text of bounded length.

    Cases with the same fault count as one, and one without a line is left out where the verdict has one with a line, as
    is a wrong answer without a story where another has one. Lines count from 1.
    """
    distinct: dict[tuple[str, int | None], Fault] = {}
    for fault in (*leading_faults(report), *(result.fault for result in report.results)):
        if fault is not None and fault.verdict.is_students_fault:
            distinct.setdefault((fault.verdict, fault.line), fault)
    placed = {verdict for verdict, line in distinct if line}
    told = {verdict for (verdict, _), fault in distinct.items() if fault.story}
    return [
        _mistake(fault)
        for (verdict, line), fault in distinct.items()
        if (line or verdict not in placed) and (fault.story or verdict not in told)
    ]


def mistakes(report: Report) -> list[Fault]:
    """Return the first mistakes, no more than a student can read and places accept."""
    return every_mistake(report)[:MOST_MISTAKES]


def line_to_show(report: Report, mistake: Fault) -> int:
    """Return the line of the mistake, or else of the kernel, for places that show mistakes beside lines only."""
    name, line = report.source.place(mistake.line or report.source.kernel_line or 1)
    return line if name == report.source.name else 1


def explanation(report: Report) -> str:
    """Return all feedback: why there is no grade, or the points and the speeds; the mistakes; advice on speed."""
    return _explanation(report, total(report))


def beside_points(report: Report) -> str:
    """Return the explanation for a place that shows the points itself, scaled or with those of hidden sizes."""
    return _explanation(report, "")


def _explanation(report: Report, first: str) -> str:
    summary = (first, points.not_measured_sentence(report), hidden_note(report.rubric), *speeds(report))
    header = points.why_no_grade(report) or "\n".join(part for part in summary if part)
    every = len(every_mistake(report))
    more = (
        f"There are {every} different mistakes. These are the first {MOST_MISTAKES}:" if every > MOST_MISTAKES else ""
    )
    shown = [paragraph(mistake, report.source) for mistake in mistakes(report)]
    return "\n\n".join(part for part in (header, more, *shown, advice_text.paragraph(report)) if part)


def bounded_explanation(report: Report) -> str:
    """Return the explanation, cut at the length that every place accepts."""
    return shorten(explanation(report), LONGEST_EXPLANATION)


def total(report: Report) -> str:
    """Return the points in one sentence."""
    return f"{shown(points.earned(report))} of {shown(points.maximum(report))} points."


def speeds(report: Report) -> list[str]:
    """Return a line for each timed size."""
    return [f"{measurement.shape}: {speed_in_words(measurement)}" for measurement in report.measurements]


def largest(report: Report) -> Measurement | None:
    """Return the measurement at the largest size, to rank kernels by; None if a result is incorrect."""
    if not points.all_correct(report) or points.why_no_grade(report):
        return None
    return max(report.measurements, key=lambda measurement: measurement.shape.flops, default=None)


def _mistake(fault: Fault) -> Fault:
    sentence, hint = one_line(fault.sentence, LONGEST_SENTENCE), one_line(fault.hint, LONGEST_SENTENCE)
    detail = shorten(clean(fault.detail).strip(), LONGEST_DETAIL)
    line = fault.line if fault.line is not None and fault.line > 0 else None
    return replace(fault, sentence=sentence, hint=hint, line=line, detail=detail)
