"""Tables and lines that the terminal shows for one grade. Pure; rich removes colours where output is no terminal."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Column, Table
from rich.text import Text

from grader.explain.own_lines import in_own_lines
from grader.explain.tables import rows
from grader.host.gpu_lock import WAITING
from grader.model import Advice, CaseResult, Fault, Machine, Profile, Report, Score, Source, Verdict, decisive
from grader.model.answers import by_size
from grader.model.reports import leading_faults
from grader.model.verdicts import words_of
from grader.rubric.outcome import GradeOutcome, grade, next_step, outcome, own_reason
from grader.rubric.rounding import rounded, shown
from grader.text import advice_text, profile_text
from grader.text.clean import clean, one_line, shorten
from grader.text.numbers import NOT_MEASURED, SPEED_COLUMNS, speed_cells
from grader.text.plain_table import numbers, plain_table
from grader.text.remarks import hidden_note, remarks, speed_notes

LOG_CHARACTERS = 1500
PRINTED_CHARACTERS, PRINTED_LINES = 400, 15
FAULTS_SHOWN, ROWS_SHOWN = 3, 3
_COMMAND = re.compile(r"##(?=\w*\[)")


def machine_line(machine: Machine) -> Text:
    """Return the first line of every grade: which backend is used, and why."""
    container = machine.versions.get("container", "").partition(" ")[0]
    if machine.backend.capabilities.uses_gpu:
        inside = f", in {container}" if container else ""
        words = f"Grading on the GPU ({machine.device}, {machine.architecture}{inside}): {machine.reason}."
    else:
        words = (
            f"Grading on the simulator ({machine.versions.get('compiler') or container}): {machine.reason}. "
            "It checks results; speed is measured on a GPU only."
        )
    return Text(words)


def progress_line(report: Report, step: str, total: int) -> str:
    """Return the last step that ended and how many of the `total` results there are, or what grading waits for."""
    if step == WAITING:
        return step
    if not report.results:
        return "compiled; checking" if report.build else "compiling"
    last = next((each for each in reversed(report.results) if each.verdict is not Verdict.SKIPPED), report.results[-1])
    done = len(report.results)
    return f"{step}: {last.case.shape} {last.verdict.words} ({done} of {max(done, total)} runs)"


def finished_sizes(report: Report, step: str) -> list[str]:
    """Return a line for the compilation and for each finished size."""
    if not step:
        return []
    compiled = [f"compiled with {report.build.compiler}"] if report.build else []
    results = groupby(report.results, lambda result: (result.case.shape, result.case.launches))
    turns = [decisive(turn) for _, turn in results]
    return compiled + [f"{step} {turn[0].case.shape}: {_in_words(turn)}" for turn in turns[:-1]]


def summary(report: Report) -> RenderableType:
    """Return the whole result: a table of sizes, the mistakes with explanations, and the points."""
    title = Text(f"{one_line(report.source.name, 80)}: {clean(report.rubric.title)}", style="bold")
    parts: list[RenderableType] = [title]
    if report.results:
        parts.append(Group(_sizes(report), *(Text(note, style="dim") for note in _notes(report))))
    parts += _explanations(report)
    if score := grade(report):
        parts.append(_points(score))
    elif outcome(report) is GradeOutcome.NOT_HERE:
        parts.append(_not_here(report))
    if report.advice:
        parts.append(_advice(report.advice, report.source))
    if report.profile:
        parts.append(_profile(report, report.profile))
    return Group(*(Padding(part, (0, 0, 1, 0)) for part in parts))


def verdict_only(report: Report) -> RenderableType:
    """Return the result of `grade check`: whether the kernel is correct, and if not, why."""
    parts = _explanations(report)
    if report.results and report.is_correct:
        sizes = ", ".join(dict.fromkeys(str(result.case.shape) for result in report.results))
        parts.insert(0, Text(f"Correct at {sizes}: {len(report.results)} runs.", style="green"))
    elif report.results:
        parts.insert(0, Padding(_sizes(report), (0, 0, 1, 0)))
    parts += [Text(remark) for remark in (*remarks(report), hidden_note(report.rubric)) if remark]
    if outcome(report) is GradeOutcome.NOT_HERE:
        parts.append(_not_here(report))
    return Group(*parts)


def _not_here(report: Report) -> Text:
    """Return that neither the student nor the grader is at fault, and what to do next."""
    sentence = "No grade: this machine cannot run the kernel, which may be correct. That costs no points."
    return Text(f"{sentence}\n{clean(next_step(report))}", style="yellow")


def _explanations(report: Report) -> list[RenderableType]:
    """Return the mistakes with explanations, and what the kernel printed."""
    parts: list[RenderableType] = [_fault(fault, report.source) for fault in _faults_to_show(report)]
    printed = next((result for result in report.results if result.printed), None)
    if printed is not None:
        lines = clean(printed.printed).strip().split("\n")
        words = shorten("\n".join(lines[:PRINTED_LINES]), PRINTED_CHARACTERS)
        cut = f" (first {PRINTED_LINES} lines)" if len(lines) > PRINTED_LINES else ""
        title = f"The kernel printed at {printed.case.shape}{cut}"
        # A CI system that shows the output reads lines with `::` at their start as commands, and `##vso[` anywhere.
        quoted = Text(_COMMAND.sub("# #", words))
        parts.append(Panel(quoted, title=title, title_align="left", box=box.ROUNDED, style="dim", expand=False))
    return parts


def _sizes(report: Report) -> Table:
    speeds = SPEED_COLUMNS if report.measurements else ()
    table = plain_table(*numbers("size", no_wrap=True), "verdict", *numbers(*speeds, no_wrap=True))
    for shape, results in by_size(report.results).items():
        timed = report.speeds.get(shape)
        table.add_row(str(shape), _verdict(results), *(speed_cells(timed) if timed else ()))
    return table


def _verdict(results: Sequence[CaseResult]) -> Text:
    bad = [result for result in results if result.verdict is not Verdict.OK]
    words = _in_words(results)
    return Text(f"{words} ({len(bad)} of {len(results)} runs)", style=_style(bad[0])) if bad else Text(words, "green")


def _in_words(results: Sequence[CaseResult]) -> str:
    return words_of(result.verdict for result in results)


def _style(result: CaseResult | Fault) -> str:
    return "yellow" if result.verdict.is_undecided else "red"


def _notes(report: Report) -> Iterator[str]:
    """Yield what a reader must know to understand the table."""
    yield from remarks(report)
    if note := hidden_note(report.rubric):
        yield note
    yield from speed_notes(report)


def _faults_to_show(report: Report) -> list[Fault]:
    """Return the root cause, and others beside it, each hint once; cases that were not run are named if alone."""
    found = leading_faults(report)
    shown = [each for each in found if each.verdict is not Verdict.SKIPPED or len(found) == 1][:FAULTS_SHOWN]
    hints = [each.hint for each in shown]
    return [replace(each, hint="" if each.hint in hints[:at] else each.hint) for at, each in enumerate(shown)]


def _fault(fault: Fault, source: Source) -> RenderableType:
    text = Text()
    place = f"{_place(fault.line, source)}: " if fault.line else ""
    text.append(f"{fault.verdict.words}: ", style=f"bold {_style(fault)}")
    text.append(f"{place}{clean(fault.sentence)}")
    if fault.hint:
        text.append(f"\nHint: {clean(fault.hint)}", style="cyan")
    terms = rows(fault.story)[-ROWS_SHOWN:] if fault.story else []
    if any(was != should for _, should, was, _ in terms):
        text.append("\n  Terms of its sum:", style="dim")
        for k, should, was, at in terms:
            text.append(
                f"\n  k = {k}: {should}" + (" was added" if was == should else f", but {was} was added"), style="dim"
            )
            text.append(f" ({in_own_lines(at, source)})" if at else "", style="dim")
    if fault.detail:
        text.append(f"\n{shorten(clean(fault.detail).strip(), LOG_CHARACTERS)}", style="dim")
    return text


def _place(line: int, source: Source) -> str:
    name, own_line = source.place(line)
    return f"{one_line(name, 80)}:{own_line}"


def _points(score: Score) -> Table:
    table = plain_table(footer=True)
    table.add_column("criterion", footer="total")
    elsewhere = f"{shown(score.not_measured)} of {shown(score.points)} points need a GPU"
    table.add_column("points", justify="right", footer=f"{rounded(score.earned)} / {shown(score.measured)}")
    table.add_column("why", footer=elsewhere if score.not_measured else "")
    for criterion in score.criteria:
        earned = (
            f"{NOT_MEASURED if criterion.earned is None else rounded(criterion.earned)} / {shown(criterion.points)}"
        )
        table.add_row(Text(clean(criterion.title)), earned, Text(clean(own_reason(criterion, score))))
    return table


def _advice(advice: Advice, source: Source) -> RenderableType:
    """Return what limits the kernel and what to change."""
    items = Table.grid(padding=(0, 1, 0, 0))
    for number, item in enumerate(advice.items, 1):
        text = Text(advice_text.title(item, _place(item.line, source)), style="bold")
        text.append(f"\n{item.evidence}", style="not bold")
        text.append(f"\nTry: {item.change}", style="not bold cyan")
        items.add_row(Text(f"{number}.", style="bold"), text)
    return Group(Text(advice_text.HEADING, style="bold"), Text(advice.conclusion), items)


def _profile(report: Report, profile: Profile) -> RenderableType:
    """Return the counters of Nsight Compute beside the grader's, or why nothing was measured."""
    heading = Text(f"{profile_text.HEADING}\n", style="bold")
    if profile.problem:
        return heading.append(clean(profile.problem), style="not bold yellow")
    heading.append(f"{profile_text.conclusion(report, profile)}\n{profile_text.uses(profile)}", style="not bold")
    return Group(heading, _counters(profile))


def _counters(profile: Profile) -> Table:
    counter, *others = profile_text.COLUMNS
    table = plain_table(Column(counter, no_wrap=True), *numbers(*others, no_wrap=True))
    for row in profile_text.rows(profile):
        table.add_row(*row)
    return table
