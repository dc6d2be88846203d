"""What came of every size: right or wrong, how fast, and how it was checked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import CaseResult, Interval, Measurement, Report, Shape, State, Verdict
from grader.report.html.wording import NONE, WORDS, seconds


@dataclass(frozen=True, slots=True)
class Row:
    """A size. `speeds` are the cells of the columns of speed, or none where nothing was timed."""

    size: str
    mark: str
    verdict: str
    speeds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """How a size was checked: its cases, the blocks that ran, the largest error over the rounding bound."""

    size: str
    cases: str
    families: str
    blocks: str
    error: str
    library_error: str


def table(report: Report) -> tuple[Row, ...]:
    """One row for each size that was checked or timed."""
    speeds = {one.shape: one for one in report.measurements}
    return tuple(_row(shape, report.results, speeds) for shape in _shapes(report))


def checks(report: Report) -> tuple[Check, ...]:
    """One row for each size that was checked."""
    return tuple(_check(shape, [one for one in report.results if one.case.shape == shape]) for shape in _shapes(report))


def why_not_timed(report: Report) -> str:
    """Why there are no speeds; empty where there are, or where the lab asks for none."""
    if report.measurements or report.state is not State.FINISHED or not report.rubric.timed_sizes:
        return ""
    if not report.machine.backend.capabilities.measures_speed:
        return (
            "Speed is not measured here. The simulator runs the kernel on the processor: that tells whether it is "
            "right, and nothing about its speed on a GPU."
        )
    if report.fault is not None:
        return "Speed is not measured: the kernel cannot run."
    return "Speed is not measured: only a size at which every answer is right is timed."


def notes(report: Report) -> tuple[str, ...]:
    """What a reader must know to read the speeds rightly."""
    return tuple(_notes(report))


def _notes(report: Report) -> Iterator[str]:
    throttled = {reason for one in report.measurements if one.telemetry for reason in one.telemetry.throttle}
    if throttled:
        yield f"The GPU's clock was held down ({', '.join(sorted(throttled))}); ratios still compare like with like."
    shared = report.shared_baselines
    if shared is not None:
        drift = f", and had drifted by {shared.drift:.1%} when this submission came" if shared.drift is not None else ""
        yield f"The baselines are those of the whole class: measured at {shared.measured}{drift}."


def _shapes(report: Report) -> list[Shape]:
    return list(dict.fromkeys(one.case.shape for one in report.results))


def _row(shape: Shape, results: Sequence[CaseResult], speeds: dict[Shape, Measurement]) -> Row:
    mine = [one for one in results if one.case.shape == shape]
    bad = list(dict.fromkeys(one.verdict for one in mine if one.verdict is not Verdict.OK))
    mark = "right" if not bad else "open" if all(one.is_undecided for one in bad) else "wrong"
    words = ", ".join(WORDS[one] for one in bad) or WORDS[Verdict.OK]
    count = sum(one.verdict is not Verdict.OK for one in mine)
    part = f" in {count} of {len(mine)} cases" if bad and count < len(mine) else ""
    found = speeds.get(shape)
    return Row(str(shape), mark, f"{words}{part}", _speeds(found) if found else (NONE,) * 6 if speeds else ())


def _speeds(one: Measurement) -> tuple[str, ...]:
    with_copies = one.transfer_seconds
    return (
        f"{one.gflops.median:,.0f}",
        f"{one.gflops.low:,.0f} to {one.gflops.high:,.0f}",
        _ratio(one.speedup, 1, ""),
        _ratio(one.library_fraction, 100, "%"),
        seconds(one.seconds.median),
        seconds(with_copies) if with_copies else NONE,
    )


def _ratio(found: Interval | None, scale: float, unit: str) -> str:
    if found is None:
        return NONE
    digits = 2 if scale == 1 else 1
    return f"{scale * found.median:.{digits}f}{unit}"


def _check(shape: Shape, mine: Sequence[CaseResult]) -> Check:
    right = sum(one.verdict is Verdict.OK for one in mine)
    found = [one.accuracy for one in mine if one.accuracy is not None]
    covered = [one.coverage for one in mine if one.coverage is not None]
    return Check(
        size=str(shape),
        cases=f"{right} of {len(mine)}",
        families=", ".join(dict.fromkeys(one.case.family for one in mine)),
        blocks=f"{covered[0].ran:,} of {covered[0].blocks:,}" if covered else "all",
        error=_bound([one.kernel for one in found]),
        library_error=_bound([one.library for one in found]),
    )


def _bound(shares: Sequence[float]) -> str:
    return f"{100 * max(shares):.2g}%" if shares else NONE
