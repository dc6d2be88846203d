"""What a student is told elsewhere than on the terminal: each mistake once, where it is, and what to try."""

from __future__ import annotations

from dataclasses import dataclass

from grader.export import points
from grader.model import Fault, Measurement, Report
from grader.text.clean import clean, one_line, shorten

LONGEST_SENTENCE = 500
LONGEST_DETAIL = 4000
LONGEST_EXPLANATION = 20_000
MOST_MISTAKES = 10  # GitHub shows as many errors of one step


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong, in clean and bounded text."""

    verdict: str
    sentence: str
    hint: str
    line: int | None
    detail: str


def every_mistake(report: Report) -> list[Mistake]:
    """The submission's mistakes, the first to be found first. One that shows in many cases is one mistake."""
    found: dict[tuple[str, int | None], Fault] = {}
    every = [report.fault, *(one.fault for one in report.results)]
    for fault in every:
        if fault is not None and fault.verdict.is_students_fault:
            found.setdefault((fault.verdict, fault.line), fault)
    return [_mistake(fault) for fault in found.values()]


def mistakes(report: Report) -> list[Mistake]:
    """As many of them as a student can take in at a time, and as places take."""
    return every_mistake(report)[:MOST_MISTAKES]


def said_of_more(report: Report) -> str:
    """Return the sentence about mistakes that `mistakes` leaves out, and nothing where it has all of them."""
    every = len(every_mistake(report))
    return "" if every <= MOST_MISTAKES else f"There are {every} different mistakes; the first {MOST_MISTAKES} follow."


def explanation(report: Report) -> str:
    """Everything in plain text: why there is no grade, or the points and the speed; and the mistakes."""
    summary = "\n".join(part for part in (total(report), points.said_of_unmeasured(report), *speeds(report)) if part)
    said = points.why_no_grade(report) or summary
    shown = [paragraph(one, report.source.name) for one in mistakes(report)]
    return "\n\n".join(part for part in (said, said_of_more(report), *shown) if part)


def total(report: Report) -> str:
    """The points in one sentence."""
    return f"{points.earned(report):g} of {points.maximum(report):g} points."


def speeds(report: Report) -> list[str]:
    """A line for each size that was timed."""
    return [f"{one.shape}: {speed(one)}" for one in report.measurements]


def largest(report: Report) -> Measurement | None:
    """The measurement that stands for a kernel's speed: of the largest size, where every answer is right."""
    if not points.all_right(report) or points.why_no_grade(report):
        return None
    return max(report.measurements, key=lambda one: one.shape.flops, default=None)


def _mistake(fault: Fault) -> Mistake:
    return Mistake(
        verdict=fault.verdict.words,
        sentence=one_line(fault.sentence, LONGEST_SENTENCE),
        hint=one_line(fault.hint, LONGEST_SENTENCE),
        line=fault.line if fault.line is not None and fault.line > 0 else None,
        detail=shorten(clean(fault.detail).strip(), LONGEST_DETAIL),
    )


def sentence(one: Mistake, source: str) -> str:
    """A mistake in a line, with its place."""
    place = f"{one_line(source, 80)}:{one.line}: " if one.line else ""
    return f"{one.verdict}: {place}{one.sentence}"


def paragraph(one: Mistake, source: str) -> str:
    """A mistake with its place, its hint and what the compiler or the checker said."""
    hint = f"Try: {one.hint}" if one.hint else ""
    return "\n".join(part for part in (sentence(one, source), hint, one.detail) if part)


def speed(one: Measurement) -> str:
    """A speed in words."""
    said = [f"{one.gflops.median:.0f} GFLOPS"]
    if one.speedup is not None:
        said.append(f"{one.speedup.median:.2f} times the naive kernel")
    if one.library_fraction is not None:
        said.append(f"{100 * one.library_fraction.median:.1f} % of the library")
    return ", ".join(said)
