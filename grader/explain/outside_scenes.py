"""What led a thread outside of an array, in a student's words: its variables, and the condition that let it through."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from grader.contract.layout import operands, stored_as
from grader.explain.reruns import Rerun, Told
from grader.explain.source_lines import (
    LOOP,
    WORD,
    condition_in,
    guard_of,
    led_to,
    looked_at,
    named_at,
    named_in,
    quoted,
    values_in,
    words_of_guard,
)
from grader.explain.source_text import SourceText
from grader.model.findings import Room, Space
from grader.model.scenes import Condition, NamedValue, Scene

LONGEST_SIDE = 32  # of a block
BY_ONE = re.compile(r"\+\+|\+=\s*1\b")
COPY = re.compile(r"\b(\w+)\s*=\s*(?:\(\w+\)\s*)?(\w+)\s*[,;]")


def of_outside(seen: Scene, known: int, again: Rerun) -> Told:
    """Tell of an access outside: the variables of its line, what let it through, and where the array is declared.

    It leads to the line of what let it through, or else to that which is `known`.
    """
    scene, source = _without_copies(seen, again.source), again.source
    own = named_at(scene, source)
    beyond = _beyond(scene, own, again)
    named = own if beyond else [*dict.fromkeys((*own, *led_to(scene, source)))]
    declared = {*beyond, *(each.name for each in named if each.value.startswith("&") or each not in own)}
    guard = _guard(scene, beyond, again)
    missing = _unchecked(scene, guard, beyond, again)
    why = missing or words_of_guard(guard, scene, source)
    if missing or not beyond:
        why = f"{_constants(scene.line, source)}{why}"
    sentence = f"{values_in(scene.line, named, declared, source)} {why}".strip() + _declared(scene, again)
    if over := _only_with_more(scene, guard, own, again):
        return Told("", sentence, scene.line, over)
    line = _line_of(guard, own, beyond, again) or known
    return Told("", sentence, line, _to_stay_inside(seen, line, again) if line else "")


def _only_with_more(scene: Scene, guard: Condition | None, named: Sequence[NamedValue], again: Rerun) -> str:
    """Return what to try where an if looks at an index that is inside, to which the line of the access adds a number.

    A loop may be to end earlier instead.
    """
    sums = again.bounds.beyond([*named, *_sums(scene, named, again.source)])
    text = condition_in(guard.line, again.source) if guard else ""
    over = next(iter(sorted(sums)), "")
    name, _, number = over.partition(" + ")
    is_checked = over.replace(" ", "") in text.replace(" ", "")
    is_alone = not any(" " not in each for each in sums)
    if not (number and is_alone and name in WORD.findall(text)) or is_checked or LOOP.search(text):
        return ""
    return f"Check {over} before line {scene.line} uses it: line {guard.line if guard else 0} does not."


def _to_stay_inside(scene: Scene, line: int, again: Rerun) -> str:
    """Return what to try where a line, or one that it led to, uses an index outside of an array."""
    beside = getattr(again.finding, "beside", None)
    if isinstance(beside, Room) and beside.space is Space.MATRIX:
        if instead := _unused_size(scene, again):
            return instead
        if row := _other_row(scene, beside.name, again):
            return f"Change the index in line {scene.line}: {row}."
    if scene.line in {0, line}:
        return f"Let only threads with an index inside come to line {line}, or change the index."
    return f"Change line {line} so that line {scene.line} gets no such index, or check the index there itself."


def _unused_size(scene: Scene, again: Rerun) -> str:
    """Return which parameter the kernel does not use, where a constant stands in the line of the access instead."""
    source, (kernel, start) = again.source, again.source.function_at(scene.line)
    fixed = {source.number_of(name, scene.line): (name, at) for name, at in source.constants_in(scene.line)}
    if max(fixed, default=0) <= LONGEST_SIDE or "__global__" not in source.text(start) or scene.called:
        return ""
    _, _, body = "\n".join(source.text(each) for each in source.body_of(start)).partition("{")
    used = set(WORD.findall(body))
    unused = [each for each in scene.variables if again.bounds.is_side(each) and each.name not in used]
    if len(unused) != 1:
        return ""
    (constant, at), (size,) = fixed[max(fixed)], unused
    return f"{kernel} never uses {size.name}, which is {size.value} here. Use it instead of {constant} of line {at}."


def _other_row(scene: Scene, matrix: str, again: Rerun) -> str:
    """Return how a matrix is stored where the index of an access multiplies by another of its sides."""
    if again.lab is None or again.lab.padding:
        return ""
    name = next((each.name for each in scene.variables if each.value == matrix and not each.line), matrix)
    index = re.search(rf"\b{re.escape(name)}\s*\[([^][]*)\]", again.source.text(scene.line))
    factors = set(re.findall(r"(?<=\*)\s*(\w+)", index[1])) if index else set[str]()
    sides = [each for each in scene.variables if each.name in factors and again.bounds.is_side(each)]
    length = operands(again.lab, again.shape)[matrix].length
    if len(sides) != 1 or int(sides[0].value) == length or not (stored := stored_as(matrix, again.lab)):
        return ""
    return f"{stored.removesuffix('.')}, and the index multiplies by {sides[0].name}"


def _without_copies(scene: Scene, source: SourceText) -> Scene:
    """Return a scene in which copies of parameters are parameters."""
    parameters = {each.name for each in scene.variables if not each.line}
    copies = {name: at for at, text in enumerate(source.lines, 1) if not LOOP.search(text)
              for name, value in COPY.findall(text) if value in parameters}  # fmt: skip

    def plain(variables: Sequence[NamedValue]) -> tuple[NamedValue, ...]:
        return tuple(replace(each, line=0) if copies.get(each.name) == each.line else each for each in variables)

    conditions = tuple(replace(each, variables=plain(each.variables)) for each in scene.conditions)
    return replace(scene, variables=plain(scene.variables), conditions=conditions)


def _guard(scene: Scene, beyond: Collection[str], again: Rerun) -> Condition | None:
    """Return the condition that let a thread through: one that lets a variable through that is beyond, if any does."""
    texts = {
        each.line: condition_in(each.line, again.source) for each in scene.conditions if each.governs and each.held
    }
    held = [each for each in scene.conditions if each.line in texts and not beyond]
    through = (each for each in held if again.bounds.beyond(named_in(each.variables, texts[each.line])))
    return next(through, None) or guard_of(scene, beyond, again.source)


def _line_of(guard: Condition | None, named: Sequence[NamedValue], beyond: Collection[str], again: Rerun) -> int:
    """Return the line of the condition that should have kept a thread out, or of a variable that is negative.

    Where neither is to blame for an access outside of dynamic shared memory, LAUNCH gives too little. It is 0 if that
    is not known.
    """
    of_launch = again.source.launch if again.room and again.room.is_dynamic else 0
    if guard is None:
        return of_launch
    negative = [each.line for each in named if each.name in beyond and each.value.startswith("-") and each.line]
    if negative:  # no guard of the last row or column is what fails
        return negative[0]
    text = condition_in(guard.line, again.source)
    if LOOP.search(text) and BY_ONE.search(text) and not again.bounds.beyond(named):  # what is added there is beyond
        return of_launch
    if set(beyond) & set(WORD.findall(text)) or (guard.held and again.bounds.beyond(named_in(guard.variables, text))):
        return guard.line
    return guard.line if beyond and not LOOP.search(text) and _concerns(guard, beyond, named, again) else of_launch


def _beyond(scene: Scene, named: Sequence[NamedValue], again: Rerun) -> set[str]:
    """Return the variables beyond what they may be, also with what is added to them in the line of the access.

    If there are any, also those of the conditions that the thread passed.
    """
    sums = again.bounds.beyond([*named, *_sums(scene, named, again.source)])
    beyond = {each.partition(" ")[0] for each in sums}
    for each in scene.conditions if beyond else ():
        if each.governs and each.held:
            beyond |= again.bounds.beyond(named_in(each.variables, condition_in(each.line, again.source)))
    return beyond


def _sums(scene: Scene, named: Sequence[NamedValue], source: SourceText) -> list[NamedValue]:
    """Return variables with the numbers that a line adds to them."""
    text = source.text(scene.line)
    added = [(each, re.findall(rf"\b{each.name}\s*\+\s*(\d{{1,4}})\b", text)) for each in named if each.value.isdigit()]
    return [replace(each, name=f"{each.name} + {number}", value=str(int(each.value) + int(number)))
            for each, numbers in added for number in numbers]  # fmt: skip


def _declared(scene: Scene, again: Rerun) -> str:
    """Return where the array is declared that was left."""
    if (room := again.room) is None:
        return ""
    if room.is_dynamic:
        line = again.source.launch
        return f" LAUNCH gives {room.name} {room.extent} bytes in line {line}." if line else ""
    own = next((each.line for each in scene.variables if each.name == room.name), 0)
    line = again.source.shared_array(room.name) or own
    return f" Line {line} declares {room.name}." if line else ""


def _concerns(guard: Condition, beyond: Collection[str], named: Sequence[NamedValue], again: Rerun) -> bool:
    """Return whether a condition looks at an index of the line: a loop's at one that is beyond what it may be."""
    is_loop = LOOP.search(again.source.text(guard.line))
    indices = {each.name for each in named if not again.bounds.is_side(each)}
    return bool((set(beyond) if is_loop else indices | set(beyond)) & looked_at(guard.line, again.source))


def _unchecked(scene: Scene, guard: Condition | None, beyond: Collection[str], again: Rerun) -> str:
    """Return that no condition looks at a variable that is beyond what it may be, if none looks at others there."""
    named, source = named_at(scene, again.source), again.source
    if not beyond or guard is None or _concerns(guard, beyond, named, again):
        return ""
    sides = [each.name for each in named if again.bounds.is_side(each)]
    names = " or ".join(sorted(beyond))
    compares = f"compares {names} with {sides[0]}" if sides else f"names {names}"
    compared = re.compile(rf"\b(?:{'|'.join(beyond)})\s*[<>]=?\s*(?:{'|'.join(sides or ['$'])})\b")
    functions = {source.function_at(each) for each in (scene.line, *scene.called)}
    lines = source.numbers(compared)
    own = [each for each in lines if source.function_at(each) in functions][:1]
    others = [f": line {scene.line} does not depend on line {each}{quoted(each, source)}" for each in own]
    return f"No condition that the thread passed {compares}{''.join(others)}."


def _constants(line: int, source: SourceText) -> str:
    """Return where the constants of a line are, which may be what is too large where no variable is."""
    found = [f"{name} is in line {at}" for name, at in source.constants_in(line)[:2]]
    return f"{' and '.join(found)}. " if found else ""
