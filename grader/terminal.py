"""What people see on a terminal. Results are built here and printed by cli.py; rich drops colour where none belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.model import (
    Backend,
    CaseResult,
    Fault,
    Machine,
    Measurement,
    Report,
    Score,
    Shape,
    Source,
    State,
    Verdict,
)
from grader.report.text import clean, one_line, shorten

LOG_CHARACTERS = 1500
FAULTS_SHOWN = 3
NOT_MEASURED = "–"


def machine_line(machine: Machine) -> Text:
    """Which backend grades, and why: the first line of every grade."""
    if machine.backend is Backend.CUDA:
        words = f"Grading on the GPU ({machine.device}, {machine.architecture}): {machine.reason}."
    else:
        words = (
            f"Grading on the simulator ({machine.versions.get('compiler', '')}): {machine.reason}. "
            "It tells whether a kernel is right; speed is measured on a GPU only."
        )
    return Text(words)


def progress_line(report: Report, step: str) -> str:
    """What has just been done."""
    if step == "compiling" or not report.results:
        return "compiled" if report.build else "starting"
    last = report.results[-1]
    return f"{step} {last.case}: {last.verdict}"


def summary(report: Report) -> RenderableType:
    """The whole result: a table of sizes, what is wrong and why, the points."""
    parts: list[RenderableType] = [Text(f"{one_line(report.source.name, 80)} · {report.rubric.title}", style="bold")]
    if report.results:
        parts.append(_sizes(report))
        parts += [Text(note, style="dim") for note in _notes(report)]
    parts += [_fault(fault, report.source) for fault in _faults_to_show(report)]
    if report.infrastructure:
        parts.append(Text(f"The grader could not finish: {clean(report.infrastructure)} This costs no points.", style="red"))
    if report.score is not None and report.state is State.FINISHED:
        parts.append(_points(report.score))
    return Group(*(Padding(part, (0, 0, 1, 0)) for part in parts))


def verdict_only(report: Report) -> RenderableType:
    """What `grade check` shows: right or wrong, and why."""
    shown = [_fault(fault, report.source) for fault in _faults_to_show(report)]
    if report.infrastructure:
        shown.append(Text(f"The grader could not finish: {clean(report.infrastructure)}", style="red"))
    if not shown:
        sizes = ", ".join(dict.fromkeys(str(one.case.shape) for one in report.results))
        shown.append(Text(f"Right at {sizes}: {len(report.results)} cases.", style="green"))
    return Group(*shown)


def mistakes(sentence: str, hint: str) -> Text:
    """An error message with what to do next."""
    text = Text(clean(sentence), style="red")
    if hint:
        text.append(f"\n{clean(hint)}", style="default")
    return text


def _sizes(report: Report) -> Table:
    table = Table(title=None, header_style="bold", pad_edge=False)
    timed = bool(report.measurements)
    for name in ("size", "verdict", *(("GFLOPS", "± 95 %", "× naive", "% of cuBLAS", "with copies") if timed else ())):
        table.add_column(name, justify="left" if name == "verdict" else "right", no_wrap=name != "verdict")
    speeds = {one.shape: one for one in report.measurements}
    for shape in dict.fromkeys(one.case.shape for one in report.results):
        cells = _speed_cells(speeds.get(shape)) if timed else ()
        table.add_row(str(shape), _verdict(report.results, shape), *cells)
    return table


def _speed_cells(found: Measurement | None) -> tuple[str, ...]:
    if found is None:
        return ("",) * 5
    copies = found.shape.flops / found.transfer_seconds / 1e9 if found.transfer_seconds else None
    return (
        f"{found.gflops.median:,.0f}",
        f"{(found.gflops.high - found.gflops.low) / 2:,.0f}",
        NOT_MEASURED if found.speedup is None else f"{found.speedup.median:.2f}",
        NOT_MEASURED if found.library_fraction is None else f"{100 * found.library_fraction.median:.1f}",
        NOT_MEASURED if copies is None else f"{copies:,.0f}",
    )


def _verdict(results: Sequence[CaseResult], shape: Shape) -> Text:
    mine = [one for one in results if one.case.shape == shape]
    bad = [one for one in mine if one.verdict is not Verdict.OK]
    if not bad:
        return Text("right", style="green")
    words = dict.fromkeys(one.verdict.replace("-", " ") for one in bad)
    return Text(f"{', '.join(words)} ({len(bad)} of {len(mine)} cases)", style=_style(bad[0].verdict))


def _style(verdict: Verdict) -> str:
    return "yellow" if verdict in (Verdict.NOT_SUPPORTED, Verdict.SKIPPED) else "red"


def _notes(report: Report) -> Iterator[str]:
    """What a reader must know to read the table rightly."""
    if report.machine.backend is Backend.SIMULATOR:
        yield "Speed: not measured here."
        sampled = [one for one in report.results if one.coverage and one.case.sampled]
        if sampled:
            shares = {one.case.shape: one.coverage for one in sampled if one.coverage}
            parts = ", ".join(f"{shape} {part.ran} of {part.blocks}" for shape, part in shares.items())
            yield f"Blocks run: {parts} (all at the other sizes; --full runs every block)."
    throttled = {reason for one in report.measurements if one.telemetry for reason in one.telemetry.throttle}
    if throttled:
        yield f"The GPU's clock was held down ({', '.join(sorted(throttled))}); the ratios still compare like with like."


def _faults_to_show(report: Report) -> list[Fault]:
    """The build's fault, or the first of each kind of failure: one mistake usually fails many cases."""
    if report.fault is not None:
        return [report.fault]
    first: dict[Verdict, Fault] = {}
    for one in report.results:
        if one.fault is not None:
            first.setdefault(one.verdict, one.fault)
    return list(first.values())[:FAULTS_SHOWN]


def _fault(fault: Fault, source: Source) -> RenderableType:
    text = Text(style="")
    place = f"{one_line(source.name, 80)}:{fault.line}: " if fault.line else ""
    text.append(f"{fault.verdict.replace('-', ' ')}  ", style=f"bold {_style(fault.verdict)}")
    text.append(f"{place}{clean(fault.sentence)}")
    if fault.hint:
        text.append(f"\nTry: {clean(fault.hint)}", style="cyan")
    if fault.detail:
        text.append(f"\n{shorten(clean(fault.detail).strip(), LOG_CHARACTERS)}", style="dim")
    return text


def _points(score: Score) -> Table:
    table = Table(header_style="bold", pad_edge=False, show_footer=True)
    table.add_column("criterion", footer="total")
    table.add_column("points", justify="right", footer=_total(score))
    table.add_column("why", footer=_footnote(score))
    for one in score.criteria:
        earned = "not measured" if one.earned is None else f"{one.earned:.1f} / {one.points:g}"
        table.add_row(Text(one.title), earned, Text(clean(one.reason)))
    return table


def _total(score: Score) -> str:
    return f"{score.earned:.1f} / {score.points - score.not_measured:g}"


def _footnote(score: Score) -> str:
    return f"{score.not_measured:g} of {score.points:g} points need a GPU" if score.not_measured else ""

