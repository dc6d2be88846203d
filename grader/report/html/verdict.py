"""The verdict in one sentence: the top of the page. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import Report, State, Verdict
from grader.model.answers import by_size
from grader.model.verdicts import words_of
from grader.report.html.sizes import failures
from grader.rubric.outcome import GradeOutcome, next_step, outcome
from grader.text.numbers import some, speed_in_words

MOST_SIZES = 3

_NOT_FINISHED = {
    State.RUNNING: (
        "The grade is not finished: this page shows the results so far.",
        "Open it again when the command has ended.",
    ),
    State.INTERRUPTED: (
        "The run was interrupted, so there is no grade.",
        "That costs no points. Grade the file again to get one.",
    ),
    State.INFRASTRUCTURE_FAULT: (
        "A grader error ended the run, so there is no grade.",
        "The submission did not cause it, and it costs no points. Grade it again when the cause is fixed.",
    ),
}

_CANNOT_RUN = {
    Verdict.COMPILE_ERROR: "The file does not compile.",
    Verdict.BAD_FILE: "The file cannot be compiled.",
    Verdict.NO_KERNEL: "The kernel was not found in the file.",
    Verdict.WRONG_SIGNATURE: "The kernel's parameters differ from those that the lab requires.",
}


@dataclass(frozen=True, slots=True)
class Heading:
    """The verdict. `mark` is 'right', 'wrong' or 'open', and colours it; `more` is a second sentence, or empty."""

    mark: str
    sentence: str
    more: str = ""


def verdict(report: Report) -> Heading:
    """Return the result of the submission in a sentence."""
    if report.state is not State.FINISHED:
        return Heading("open", *_NOT_FINISHED[report.state])
    if report.verdicts and outcome(report) is GradeOutcome.NOT_HERE:
        more = f"That costs no points, and the kernel may be correct. {next_step(report)}"
        return Heading("open", "This machine cannot run the kernel, so there is no grade.", more)
    if report.fault:
        kind = report.fault.verdict
        return Heading("wrong", _CANNOT_RUN.get(kind, f"The kernel cannot run: {kind.words}."))
    return _of_sizes(report) if report.verdicts else Heading("open", "Nothing was checked.")


def _of_sizes(report: Report) -> Heading:
    sizes = by_size(report.results)
    failed = {shape: verdicts for shape, results in sizes.items() if (verdicts := failures(results))}
    every = "the only size" if len(sizes) == 1 else f"all {len(sizes)} sizes"
    if not failed:
        largest = max(report.measurements, key=lambda measurement: measurement.shape.flops, default=None)
        speed = f"At {largest.shape} the kernel reaches {speed_in_words(largest)}." if largest else ""
        return Heading("right", f"The answers are correct at {every}.", speed)
    alike: dict[str, list[str]] = {}  # the sizes of each verdict, or of several
    for shape, verdicts in failed.items():
        alike.setdefault(words_of(verdicts).replace(", ", " and "), []).append(str(shape))
    if len(failed) == len(sizes) and len(alike) == 1:
        return Heading("wrong", f"Failed at {every}: {', '.join(alike)}.")
    told = "; ".join(f"{kinds} at {some(where, MOST_SIZES)}" for kinds, where in alike.items())
    return Heading("wrong", f"Failed at {len(failed)} of {len(sizes)} sizes: {told}.")
