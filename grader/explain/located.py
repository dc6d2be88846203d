"""Which line of the source a fault leads to, beyond what a launch shows: LAUNCH, loops, waits, macros. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain.macros import broken_macro
from grader.explain.source_text import (
    KERNEL,
    Source,
    callers_of,
    end_of_block,
    function_at,
    launch_of,
    line_with,
    lines_between,
)
from grader.model import AccessKind, Fault, Verdict

WARP_ONLY = re.compile(r"\b(__syncwarp|__threadfence(?:_block)?)\b")
WAITS = re.compile(r"\b\w*[wW]ait\w*\s*(?:<[^<>]*>\s*)?\(")
STORE = re.compile(r"(?<![\w.])C\s*\[[^=]*\]\s*[-+]?=(?!=)")
BARRIER = re.compile(r"\b__syncthreads\s*\(")
NO_LAUNCH = "The file has no LAUNCH line, so the block is the lab's."
COPIES = {AccessKind.COPIES_TO, AccessKind.COPIES_FROM}
MOST_CALLERS = 3


def located(fault: Fault, source: Source) -> Fault:
    """Return the fault with the line that it leads to."""
    if fault.verdict is Verdict.LAUNCH_FAILED:
        return _of_launch(fault, source)
    if found := broken_macro(source):
        return replace(fault, sentence=f"{fault.sentence} {found.sentence}", line=found.line)
    if fault.verdict is Verdict.DATA_RACE:
        fault = _of_race(fault, source)
    return _with_launch(fault, source)


def _of_launch(fault: Fault, source: Source) -> Fault:
    """Return a fault of the launch with the line of LAUNCH, or of the kernel in a file without any."""
    if fault.line:
        return fault
    if line := launch_of(source):
        return replace(fault, line=line)
    return replace(fault, line=line_with(KERNEL, source) or None, hint=f"{fault.hint} {NO_LAUNCH}".strip())


def _with_launch(fault: Fault, source: Source) -> Fault:
    """Return a fault whose hint speaks of LAUNCH with its line; a wrong answer without any has that of the store."""
    line = launch_of(source)
    if line and "LAUNCH" in fault.hint:
        hint = fault.hint.replace("LAUNCH", f"LAUNCH (line {line})", 1)
        return replace(fault, hint=hint, line=fault.line or line)
    stores = lines_between(STORE, 0, len(source) + 1, source) if fault.verdict is Verdict.WRONG_ANSWER else []
    return replace(fault, line=stores[0]) if fault.line is None and len(stores) == 1 else fault


def _of_race(fault: Fault, source: Source) -> Fault:
    lines = [each.line or 0 for each in fault.accesses[:2]]
    if len(lines) < 2 or not all(lines):  # noqa: PLR2004 - accesses
        return fault
    if fault.accesses[0].does in COPIES:
        return _of_copy(fault, lines[1], source)
    first, second = _in_one_function(lines[0], lines[1], source)
    if not first:
        return fault
    if (first, second) != tuple(lines):
        called = [_called(each, source) for each in dict.fromkeys(lines)]
        fault = replace(fault, sentence=" ".join(filter(None, (fault.sentence, *called))), line=max(first, second))
    if second < first and (end := end_of_block(second, first, source)):
        return replace(fault, line=end, hint=f"{fault.hint} The block around both ends in line {end}.")
    if warp := lines_between(WARP_ONLY, first, second, source):
        name = WARP_ONLY.findall(source[warp[0] - 1])[0]
        waits = "makes no thread wait" if "fence" in name else "waits for the threads of one warp only"
        return replace(fault, line=warp[0], hint=f"{fault.hint} Line {warp[0]} has {name}(), which {waits}.")
    writes = [line for line, each in zip(lines, fault.accesses, strict=False) if each.does is AccessKind.WRITES]
    return replace(fault, line=writes[0]) if len(writes) == 1 and (first, second) == tuple(lines) else fault


def _in_one_function(first: int, second: int, source: Source) -> tuple[int, int]:
    """Return two lines, or the calls of their functions that are closest together; zeros for those far apart."""
    if function_at(first, source) == function_at(second, source):
        return first, second
    ways = [callers_of(function_at(each, source)[0], source) or [each] for each in (first, second)]
    pairs = [(end, one, other) for one in ways[0] for other in ways[1] if (end := end_of_block(one, other, source))]
    *_, one, other = min(pairs, default=(0, 0, 0))
    return one, other


def _of_copy(fault: Fault, use: int, source: Source) -> Fault:
    """Return the fault of a copy that is used too early, with the last wait before, or else the last barrier."""
    _, start = function_at(use, source)
    if waits := lines_between(WAITS, start, use, source):
        return replace(fault, line=waits[-1], hint=f"{fault.hint} The last wait before is in line {waits[-1]}.")
    if barriers := lines_between(BARRIER, start, use, source):
        hint = f"{fault.hint} The __syncthreads() in line {barriers[-1]} has no such wait before it."
        return replace(fault, line=barriers[-1], hint=hint)
    return fault


def _called(line: int, source: Source) -> str:
    """Return which lines call the function around a line; nothing for the kernel itself, or for many lines."""
    name, _ = function_at(line, source)
    callers = callers_of(name, source)
    if not 0 < len(callers) <= MOST_CALLERS:
        return ""
    *others, last = map(str, callers)
    lines = f"lines {', '.join(others)} and {last} call" if others else f"line {last} calls"
    return f"Line {line} is in {name}, which {lines}."
