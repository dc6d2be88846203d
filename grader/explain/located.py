"""Which line of the source a fault leads to, beyond what a launch shows: LAUNCH, loops, waits, macros. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from grader.explain.launch_outputs import CHANGED
from grader.explain.macros import broken_macro
from grader.explain.race_hints import INDICES, apart
from grader.explain.race_hints import hint as hint_at
from grader.explain.source_lines import BARRIER
from grader.explain.source_text import KERNEL, NO_LAUNCH, SourceText
from grader.model import Fault, Verdict
from grader.model.hints import BarrierHint, reworded
from grader.ptxsim.records.races import EarlyUse, Race, Races, Scope, VariableKind

if TYPE_CHECKING:
    from grader.contract.found import Finding

NO_BARRIERS = {  # what may stand in the place of one, and what it does
    re.compile(r"\b(__syncthreads)\b(?!\s*\()"): " without parentheses, which calls nothing",
    re.compile(r"\b(__threadfence(?:_block)?)\b"): ", which makes no thread wait",
    re.compile(r"\b(__syncwarp)\b"): ", which waits for the threads of one warp only",
    re.compile(r"\b(\w+\.sync)\b"): ", which waits for the threads of its group only",
    re.compile(
        r"\b(__pipeline_wait_prior|\w*wait_(?:group|all)\w*)\b"
    ): ", which waits for the thread's own copies only",
}
WAITS = re.compile(r"\b\w*[wW]ait\w*\s*(?:<[^<>]*>\s*)?\(")
STORE = r"(?<![\w.]){name}\s*\[[^=]*\]\s*[-+]?=(?!=)"
PLACE = re.compile(r"\s*(\w[\w\s.+*>-]*\[[^=]*\])\s*=(?!=)")  # of an assignment
IN_IF = re.compile(r"(?<!#)\b(?:if|else)\b[^;}]*\b__syncthreads\s*\(")
MOST_CALLERS = 3


def located(fault: Fault, source: SourceText, finding: Finding | None = None, *, is_alone: bool = True) -> Fault:
    """Return the fault with the line that it leads to; of some, the finding knows more than the fault.

    Where the kernel that stores C `is_alone`, a wrong answer leads to that store, and a refused launch to LAUNCH.
    """
    if fault.verdict is Verdict.LAUNCH_FAILED:
        return _of_launch(fault, source) if is_alone else fault
    if found := broken_macro(source):
        return replace(fault, sentence=f"{fault.sentence} {found.sentence}", line=found.line)
    if isinstance(finding, EarlyUse):
        fault = _of_copy(fault, finding, source)
    elif isinstance(finding, Races):
        fault = _of_race(fault, finding.races[0], source)
    fault = _with_launch(fault, source)
    return _with_store(fault, source) if is_alone else fault


def _of_launch(fault: Fault, source: SourceText) -> Fault:
    """Return a fault of the launch with the line of LAUNCH, or of the kernel in a file without any."""
    if fault.line:
        return fault
    if line := source.launch:
        return replace(fault, line=line)
    hint = f"{fault.hint} {NO_LAUNCH}".strip() if source.is_launched_by_lab else fault.hint
    return replace(fault, line=source.first_with(KERNEL) or None, hint=hint)


def _with_launch(fault: Fault, source: SourceText) -> Fault:
    """Return a fault whose hint speaks of LAUNCH with its line."""
    line = source.launch
    if line and "LAUNCH" in fault.hint and "LAUNCH(" not in fault.hint:
        hint = fault.hint.replace("LAUNCH", f"LAUNCH (line {line})", 1)
        return replace(fault, hint=hint, line=fault.line or line)
    return fault


def _with_store(fault: Fault, source: SourceText) -> Fault:
    """Return a wrong answer that has no line with that of the only store to C, or to the input that it changes."""
    is_change = fault.diagnosis.startswith(CHANGED)
    store = re.compile(STORE.format(name=fault.diagnosis.removeprefix(CHANGED) if is_change else "C"))
    stores = source.numbers(store) if fault.verdict is Verdict.WRONG_ANSWER else []
    return replace(fault, line=stores[0]) if fault.line is None and len(stores) == 1 else fault


def _of_race(fault: Fault, race: Race, source: SourceText) -> Fault:
    """Return the fault of a race in a block that a barrier would end, with where that belongs."""
    first, second = _in_one_function(race.first.line, race.second.line, source)
    fault = _of_variable(fault, race, source)
    places = [PLACE.match(source.text(each.line)) for each in (race.first, race.second)]
    if all(places) and len({each[1] for each in places if each}) == 1:
        fault = replace(fault, hint=reworded(fault.hint, fault.hint.replace(INDICES, apart(race))))
    if all(race.met):
        return _of_skipped(fault, race.met, source)
    if race.scope is not Scope.BLOCK or not first or not isinstance(fault.hint, BarrierHint):
        return fault
    if (first, second) != (race.first.line, race.second.line):
        called = [_called(each, source) for each in dict.fromkeys((race.first.line, race.second.line))]
        sentence = " ".join(filter(None, (fault.sentence, *called)))
        hint = hint_at(replace(race, first=replace(race.first, line=first), second=replace(race.second, line=second)))
        fault = replace(fault, sentence=sentence, line=max(first, second), hint=hint if first != second else fault.hint)
    elif race.first.reads and not race.second.reads:
        fault = replace(fault, line=second)
    end = source.end_of_block(second, first) if race.in_loop else 0
    if end and second < first:
        return replace(fault, line=end, hint=f"{fault.hint} The block around both ends in line {end}.")
    return _with_no_barrier(fault, range(first + 1, source.until(second)), source)


def _with_no_barrier(fault: Fault, between: range, source: SourceText) -> Fault:
    """Return the fault of a race with the first line between the two that orders less than a block, if any."""
    for line, (pattern, does) in product(between, NO_BARRIERS.items()):
        if found := pattern.search(source.text(line)):
            return replace(fault, line=line, hint=f"{fault.hint} Line {line} has {found[1]}{does}.")
    return fault


def _of_variable(fault: Fault, race: Race, source: SourceText) -> Fault:
    """Return the fault of a race at a variable of which there should be more, with its declaration."""
    name, is_shared = race.memory.name, race.memory.is_shared
    if not name or (is_shared and race.memory.kind is not VariableKind.WHOLE):
        return fault
    space = "__shared__" if is_shared else "__device__"
    declares = re.compile(rf"\b{space}\s[^;()]*\b{re.escape(name)}\b\s*[\[;=,]")
    if not (line := source.only_with(declares)):
        return fault
    owners = "threads of a block" if is_shared else "blocks"
    return replace(fault, sentence=f"{fault.sentence} Line {line} declares {name}, which all {owners} share.")


def _in_one_function(first: int, second: int, source: SourceText) -> tuple[int, int]:
    """Return two lines, or the last call of one function and the first of the other in a block; zeros without these."""
    if source.function_at(first) == source.function_at(second):
        return first, second
    ways = [source.callers_of(source.function_at(each)[0]) or [each] for each in (first, second)]
    pairs = [(end, -one, other) for one in ways[0] for other in ways[1] if (end := source.end_of_block(one, other))]
    *_, one, other = min(pairs, default=(0, 0, 0))
    return -one, other


def _of_skipped(fault: Fault, met: tuple[int, int], source: SourceText) -> Fault:
    """Return the fault of threads that skip a barrier, with the one that is further in, or in an if on its line."""
    depths = [(_indentation(text), bool(IN_IF.search(text))) for text in (source.text(each) for each in met)]
    return replace(fault, line=met[depths.index(max(depths))]) if len(set(depths)) > 1 else fault


def _indentation(text: str) -> int:
    expanded = text.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _of_copy(fault: Fault, found: EarlyUse, source: SourceText) -> Fault:
    """Return the fault of a copy that is used too early, with the last wait before, or else the last barrier."""
    _, start = source.function_at(found.use.line)
    waits, barriers = (source.between(each, start, found.use.line) for each in (WAITS, BARRIER))
    if found.is_awaited and waits:
        return replace(fault, line=waits[-1], hint=f"{fault.hint} The last wait before is in line {waits[-1]}.")
    if not (found.is_awaited or waits) and barriers:
        hint = f"{fault.hint} The __syncthreads() in line {barriers[-1]} has no such wait before it."
        return replace(fault, line=barriers[-1], hint=hint)
    return fault


def _called(line: int, source: SourceText) -> str:
    """Return which lines call the function around a line; nothing for the kernel itself, or for many lines."""
    name, _ = source.function_at(line)
    callers = source.callers_of(name)
    if not 0 < len(callers) <= MOST_CALLERS:
        return ""
    *others, last = map(str, callers)
    lines = f"lines {', '.join(others)} and {last} call" if others else f"line {last} calls"
    return f"Line {line} is in {name}, which {lines}."
