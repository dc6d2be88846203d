"""The verdict in one sentence, the top of the page; and at each size, with the speed and how it was checked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import CaseResult, Measurement, Report, Shape, State, Verdict
from grader.model.answers import by_size
from grader.model.verdicts import words_of
from grader.rubric.outcome import GradeOutcome, next_step, outcome
from grader.text.numbers import NONE, seconds, some, speed_in_words
from grader.text.remarks import remarks, speed_notes

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


@dataclass(frozen=True, slots=True)
class SizeRow:
    """The verdict and the speed at a size, and how it was checked.

    `speeds` are the cells of the columns of speed; empty where nothing was timed. `errors` are the largest, relative to
    those of a plain sum: the kernel's, the library's, and the largest allowed.
    """

    size: str
    mark: str
    verdict: str
    speeds: tuple[str, ...]
    cases: str
    runs: str
    errors: tuple[str, ...]


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
    checked = by_size(report.results)
    failed = {shape: verdicts for shape, results in checked.items() if (verdicts := failures(results))}
    everywhere = "the only size" if len(checked) == 1 else f"all {len(checked)} sizes"
    if not failed:
        largest = max(report.measurements, key=lambda measurement: measurement.shape.flops, default=None)
        speed = f"At {largest.shape} the kernel reaches {speed_in_words(largest)}." if largest else ""
        return Heading("right", f"The answers are correct at {everywhere}.", speed)
    alike: dict[str, list[str]] = {}  # the sizes of each verdict, or of several
    for shape, verdicts in failed.items():
        alike.setdefault(words_of(verdicts).replace(", ", " and "), []).append(str(shape))
    if len(failed) == len(checked) and len(alike) == 1:
        return Heading("wrong", f"Failed at {everywhere}: {', '.join(alike)}.")
    told = "; ".join(f"{kinds} at {some(where, MOST_SIZES)}" for kinds, where in alike.items())
    return Heading("wrong", f"Failed at {len(failed)} of {len(checked)} sizes: {told}.")


def sizes(report: Report) -> tuple[SizeRow, ...]:
    """Return a row for each size that was checked or timed."""
    speeds = {measurement.shape: _speeds(measurement) for measurement in report.measurements}
    blank = (NONE,) * 6 if speeds else ()
    return tuple(_size(shape, results, speeds.get(shape, blank)) for shape, results in by_size(report.results).items())


def failures(results: Sequence[CaseResult]) -> list[Verdict]:
    """Return the verdicts other than ok."""
    return [result.verdict for result in results if result.verdict is not Verdict.OK]


def why_not_timed(report: Report) -> str:
    """Return why there are no speeds; empty where there are, or where the lab times nothing."""
    if report.measurements or report.state is not State.FINISHED or not report.rubric.timed_sizes:
        return ""
    if not report.machine.backend.capabilities.measures_speed:
        return (
            "Speed is not measured here. The simulator runs the kernel on the CPU, which shows whether its answers are "
            "correct, but nothing about its speed on a GPU."
        )
    if report.fault is not None:
        return "Speed is not measured: the kernel cannot run."
    return "Speed is not measured: only sizes at which every answer is correct are timed."


def notes(report: Report) -> Iterator[str]:
    """Yield remarks on the answers, and what affects the meaning of the speeds."""
    yield from remarks(report)
    yield from speed_notes(report)
    shared = report.shared_baselines
    if shared is not None:
        drift = "" if shared.drift is None else f", with a drift of {shared.drift:.1%} by the time of this submission"
        yield f"The baselines are shared by the whole class: measured at {shared.measured}{drift}."


def _size(shape: Shape, results: Sequence[CaseResult], speeds: tuple[str, ...]) -> SizeRow:
    failed = failures(results)
    mark = "right" if not failed else "open" if all(kind.is_undecided for kind in failed) else "wrong"
    part = f" in {len(failed)} of {len(results)} runs" if 0 < len(failed) < len(results) else ""
    accuracies = [(each.kernel, each.library, each.allowed) for result in results if (each := result.accuracy)]
    return SizeRow(
        size=str(shape),
        mark=mark,
        verdict=words_of(failed) + part,
        speeds=speeds,
        cases=f"{len(results) - len(failed)} of {len(results)}",
        runs=", ".join(dict.fromkeys(result.case.run for result in results)),
        errors=tuple(f"{max(each):.2f}" for each in zip(*accuracies, strict=True)) or (NONE,) * 3,
    )


def _speeds(measurement: Measurement) -> tuple[str, ...]:
    gflops, speedup, fraction = measurement.gflops, measurement.speedup, measurement.library_fraction
    return (
        f"{gflops.median:,.0f}",
        f"{gflops.low:,.0f} to {gflops.high:,.0f}",
        f"{speedup.median:.2f}" if speedup else NONE,
        f"{fraction.median:.1%}" if fraction else NONE,
        seconds(measurement.seconds.median),
        seconds(measurement.transfer_seconds) if measurement.transfer_seconds else NONE,
    )
