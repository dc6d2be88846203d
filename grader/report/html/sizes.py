"""The verdict and the speed at each size, and how each size was checked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import CaseResult, Measurement, Report, Shape, State, Verdict
from grader.model.answers import by_size
from grader.model.verdicts import words_of
from grader.text.numbers import NONE, seconds
from grader.text.remarks import remarks, speed_notes


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


def table(report: Report) -> tuple[SizeRow, ...]:
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
