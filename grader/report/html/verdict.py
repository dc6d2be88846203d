"""The verdict in one sentence, and the points: what a reader looks for first. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import CriterionScore, Report, Score, Shape, State, Verdict
from grader.report.html.wording import NONE, WORDS, number

_NOT_FINISHED = {
    State.RUNNING: (
        "The grade is not finished: this page shows how far it had come.",
        "Open it again when the command has ended.",
    ),
    State.INTERRUPTED: (
        "The run was interrupted, so there is no grade.",
        "That costs no points. Grade the file again to get one.",
    ),
    State.INFRASTRUCTURE_FAULT: (
        "The grader could not finish, so there is no grade.",
        "That is not the submission's fault and costs no points.",
    ),
}

_CANNOT_RUN = {
    Verdict.COMPILE_ERROR: "The file does not compile.",
    Verdict.BAD_FILE: "The file cannot be compiled.",
    Verdict.NO_KERNEL: "The kernel was not found in the file.",
    Verdict.WRONG_SIGNATURE: "The kernel's parameters are not those that the lab asks for.",
}


@dataclass(frozen=True, slots=True)
class Heading:
    """`mark` is 'right', 'wrong' or 'open'; `sentence` says it in words, `more` what follows from it."""

    mark: str
    sentence: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Points:
    """The score as it is written: earned out of what could be measured here."""

    earned: str
    possible: str
    not_measured: str
    total: str
    criteria: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A criterion with its points; `share` of the points, in per cent, is None where nobody knows."""

    title: str
    earned: str
    points: str
    share: float | None
    reason: str


def verdict(report: Report) -> Heading:
    """Say how the submission did."""
    if report.state is not State.FINISHED:
        return Heading("open", *_NOT_FINISHED[report.state])
    found = [report.fault.verdict] if report.fault else [one.verdict for one in report.results]
    if Verdict.NOT_SUPPORTED in found:
        return Heading(
            "open", "This machine cannot run the kernel.", "That costs no points: what it could not do is open."
        )
    if report.fault:
        return Heading("wrong", _CANNOT_RUN.get(report.fault.verdict, f"The kernel cannot run: {WORDS[found[0]]}."))
    if not found:
        return Heading("open", "Nothing was checked.")
    return _of_sizes(report)


def points(report: Report) -> Points | None:
    """The score of a finished report; of another, none counts."""
    score = report.score
    if score is None or report.state is not State.FINISHED:
        return None
    return Points(
        earned=number(score.earned),
        possible=number(score.points - score.not_measured),
        not_measured=number(score.not_measured) if score.not_measured else "",
        total=number(score.points),
        criteria=tuple(_row(one, score) for one in score.criteria),
    )


def _of_sizes(report: Report) -> Heading:
    sizes = list(dict.fromkeys(one.case.shape for one in report.results))
    wrong = [shape for shape in sizes if _failures(report, shape)]
    if not wrong:
        speeds = f"{', '.join(_speeds(report))}." if report.measurements else ""
        return Heading("right", f"The answer is right at {_all(len(sizes))}.", speeds)
    kinds = list(dict.fromkeys(one for shape in wrong for one in _failures(report, shape)))
    said = " and ".join(WORDS[kind] for kind in kinds[:2])
    if len(wrong) == len(sizes):
        return Heading("wrong", f"Not right yet: {said} at {_all(len(sizes))}.")
    right = f"it is right at {len(sizes) - len(wrong)} of {len(sizes)} sizes"
    return Heading("wrong", f"Not right yet: {said} at {_some(wrong)}; {right}.")


def _failures(report: Report, shape: Shape) -> list[Verdict]:
    return [one.verdict for one in report.results if one.case.shape == shape and one.verdict is not Verdict.OK]


def _all(count: int) -> str:
    return "the one size" if count == 1 else f"all {count} sizes"


def _some(shapes: list[Shape]) -> str:
    shown = ", ".join(str(shape) for shape in shapes[:3])
    return shown if len(shapes) <= 3 else f"{shown} and {len(shapes) - 3} more"  # noqa: PLR2004 - so many are shown


def _speeds(report: Report) -> Iterator[str]:
    """The speed at the largest size that was timed."""
    last = max(report.measurements, key=lambda one: one.shape.flops)
    yield f"At {last.shape} it makes {last.gflops.median:,.0f} GFLOPS"
    if last.speedup is not None:
        yield f"{last.speedup.median:.2f} times the naive kernel"
    if last.library_fraction is not None:
        yield f"{last.library_fraction.median:.0%} of cuBLAS"


def _row(one: CriterionScore, score: Score) -> Row:
    if one.earned is None:
        return Row(one.title, NONE, number(one.points), None, _own_reason(one, score))
    share = 100 * one.earned / one.points if one.points else 100.0
    return Row(one.title, number(one.earned), number(one.points), share, _own_reason(one, score))


def _own_reason(one: CriterionScore, score: Score) -> str:
    """Its reason, without that of the criterion it depends on: the same table has it already."""
    others = (other.reason for other in score.criteria if other.reason != one.reason)
    ending = next((reason for reason in others if reason and one.reason.endswith(reason)), "")
    return one.reason.removesuffix(ending).rstrip()
