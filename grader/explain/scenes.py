"""What a launch shows that ran again, in a student's words: the thread that failed, or how an element came about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

from grader.contract.messages import Replayed
from grader.explain import hints
from grader.explain.buffers import of_buffers
from grader.explain.outside_scenes import of_outside
from grader.explain.reruns import Rerun, Told, with_changes
from grader.explain.source_lines import (
    LOOP,
    WORD,
    condition_in,
    guard_of,
    led_to,
    named_at,
    named_in,
    values_in,
    with_values,
    words_of_guard,
)
from grader.explain.source_text import SourceText
from grader.explain.stories import of_story
from grader.explain.traced import WHO
from grader.explain.unset_scenes import of_unset
from grader.model import Fault, Verdict
from grader.model.expressions import ExpressionError, whole
from grader.model.findings import Misaligned
from grader.model.hints import EdgeHint, GeneralHint, UnsetHint, reworded
from grader.model.matrices import MATRICES
from grader.model.scenes import Condition, Scene, Story
from grader.ptxsim.records.races import Races

MATRIX = re.compile(r"\b[ABC](?=\[)|(?<=\bof )[ABC]\b|(?<=\boutside )[ABC]\b|(?<=\()[ABC](?= has)")
CONTINUE = re.compile(r"\bcontinue\s*;")
FLOAT = 4  # bytes
MOST_CALLED = 2  # functions and macros


def detailed(fault: Fault, replayed: Replayed, again: Rerun) -> Fault:
    """Return the fault with what a launch shows that ran again, and what would make it right."""
    named = _with_names(fault, _names(replayed))
    if replayed.scene and replayed.earlier and isinstance(again.finding, Races):
        told = of_buffers(again.finding.races[0], replayed.earlier, replayed.scene, again.source)
        return (
            replace(fault, sentence=f"{fault.sentence} {told.sentence}", hint=told.hint, line=told.line)
            if told
            else fault
        )
    if replayed.scene:
        named = _with_scene(named, replayed.scene, again)
    elif replayed.story:
        named = _with_story(named, replayed.story, again)
    return with_changes(named, replayed.changes, again.source)


def with_wrong_index(fault: Fault, replayed: Replayed, again: Rerun) -> Fault:
    """Return the fault of threads that store to one element with the sum of another one that is stored to its place."""
    story = replayed.story
    if not (story and story.sum_of) or (told := of_story(story, again)) is None:
        return fault
    change = f"Correct the index in line {told.line}, or a variable in it."
    hint = f"At {again.shape}: {told.sentence[:1].lower()}{told.sentence[1:]} {change}"
    return replace(fault, hint=hint, line=told.line)


def _with_scene(fault: Fault, scene: Scene, again: Rerun) -> Fault:
    """Return the fault with what led a thread to where it failed."""
    told = _of_scene(fault, scene, again)
    if not told.sentence:
        return fault
    sentence, hint = f"{fault.sentence} {told.sentence}", fault.hint
    if fault.verdict in {Verdict.OUT_OF_BOUNDS, Verdict.CRASHED}:
        sentence += _called((scene,), again.source, scene.conditions[-1].line if scene.conditions else 0)
    if not hint or (told.hint and (isinstance(hint, GeneralHint) or fault.verdict is Verdict.WRONG_ANSWER)):
        hint = told.hint
    if scene.kept_out or scene.stores:
        hint = hint.removesuffix(WHO)  # that is told
    return replace(fault, sentence=sentence, hint=hint, line=told.line or fault.line or scene.line or None, scene=scene)


def _with_story(fault: Fault, story: Story, again: Rerun) -> Fault:
    """Return the fault with how an element came about; its diagnosis is that, unless an earlier hint tells more."""
    if (told := of_story(story, again)) is None:
        return fault
    source, line = again.source, fault.line or told.line
    sentence = f"{fault.sentence} {told.sentence}{_called((story.scene, story.reader), source, line)}"
    hint, diagnosis = fault.hint, fault.diagnosis
    if not hint or story.narrowing or _is_general(hint, story):
        hint, diagnosis = hint if story.stale and isinstance(hint, EdgeHint) else told.hint, told.kind
    return replace(fault, sentence=sentence, hint=hint, line=line or None, story=story, diagnosis=diagnosis)


def _is_general(hint: str, story: Story) -> bool:
    """Whether a story tells more than a hint."""
    return isinstance(hint, GeneralHint) and (bool(story.stale) or not isinstance(hint, UnsetHint))


def _called(scenes: Iterable[Scene | None], source: SourceText, led: int) -> str:
    """Return where the functions and macros are that the lines of scenes call, or that to which a story has led."""
    known = [scene for scene in scenes if scene]
    lines = [led] + [line for scene in known for line in (scene.line, *(each.line for each in led_to(scene, source)))]
    found = dict(called for line in lines for called in source.called_in(line))
    told = [f"{name}() is in line {at}" for name, at in found.items()][:MOST_CALLED]
    return f" {' and '.join(told)}." if told else ""


def _names(replayed: Replayed) -> dict[str, str]:
    """Return what the code calls the matrices, where that is something else."""
    known = dict(zip(MATRICES, replayed.story.names, strict=True)) if replayed.story else {}
    if replayed.scene and not replayed.scene.called:  # the kernel's own parameters
        known = {each.value: each.name for each in replayed.scene.variables if each.value in MATRICES and not each.line}
    return {matrix: name for matrix, name in known.items() if matrix != name}


def _with_names(fault: Fault, names: Mapping[str, str]) -> Fault:
    """Return a fault with the names of the code for the matrices, where no letter is a word."""
    if not names:
        return fault
    sentence, hint = (
        MATRIX.sub(lambda found: names.get(found[0], found[0]), text) for text in (fault.sentence, fault.hint)
    )
    return replace(fault, sentence=sentence, hint=reworded(fault.hint, hint))


def _of_scene(fault: Fault, scene: Scene, again: Rerun) -> Told:
    match fault.verdict:
        case Verdict.OUT_OF_BOUNDS:
            return of_outside(scene, fault.line or scene.line, again)
        case Verdict.UNSET_MEMORY:
            return of_unset(scene, again)
        case Verdict.TIMEOUT:
            return _of_endless(scene, again.source)
        case Verdict.WRONG_ANSWER:
            return _of_left_array(scene, again.source)
    guard = words_of_guard(guard_of(scene, (), again.source), scene, again.source)
    values = values_in(scene.line, named_at(scene, again.source), (), again.source)
    told = _uneven_rows(scene, again) or Told("", "", scene.line if fault.verdict is Verdict.BARRIER else 0)
    return replace(told, sentence=" ".join(filter(None, (values, guard, told.sentence))))


def _of_left_array(scene: Scene, source: SourceText) -> Told:
    """Tell of an array of a thread, which is the first variable of the scene, with its length."""
    if not scene.variables:
        return Told("", "", 0)
    array, *others = scene.variables
    values = with_values(named_in(others, source.text(scene.line)))
    length = f"line {array.line} declares it with {array.value} elements"
    sentence = f"Thread {scene.thread} leaves {array.name} in line {scene.line}{values}: {length}."
    return Told("", f"{sentence}{source.places_of_constants(array.line)}", array.line, hints.VARIABLE)


def _of_endless(scene: Scene, source: SourceText) -> Told:
    """Tell of a loop that a thread does not leave, which is in the line where it is; no loop inside."""
    named = named_at(scene, source)
    values = values_in(scene.line, named, {each.name for each in named if each.line != scene.line}, source)
    held = [each for each in scene.conditions if each.line == scene.line and each.held]
    loop = next((each for each in held if LOOP.search(source.text(each.line))), None)
    sentence = f"{values} {words_of_guard(loop, scene, source)}".strip()
    return Told("", sentence, scene.line, _to_end(loop, scene, source) if loop else "")


def _to_end(loop: Condition, scene: Scene, source: SourceText) -> str:
    """Return what to try where all variables in the condition of an endless loop are as they were a turn before.

    Parameters are none of these.
    """
    text = condition_in(loop.line, source)
    named = set(WORD.findall(text.split(";")[1] if text.count(";") > 1 else text))
    own = list(dict.fromkeys(each.name for each in loop.variables if each.line and each.name in named))
    if not own or not set(own) <= set(scene.steady):
        return ""
    same = f"{' and '.join(own)} had the same value{'s' * (len(own) > 1)} in the turn before"
    step = text.rpartition(";")[2].strip().removesuffix(")")
    if ";" in text and re.search(rf"\b{re.escape(own[0])}\s*[-+*/%<>&|^]*=", step):
        return f"{same}: {step} leaves {own[0]} as it is. Take another step, or let the condition end the loop then."
    skips = [each for each in source.body_of(loop.line) if CONTINUE.search(source.text(each))]
    before = f", also before the continue of line {skips[0]}" if skips else ""
    flags = {each.name for each in loop.variables if each.value in {"true", "false"}}
    counting = "" if own[0] in flags else f", as ++{own[0]} does"
    return f"{same}: change {own[0]} in each turn of the loop{before}{counting}."


def _uneven_rows(scene: Scene, again: Rerun) -> Told | None:
    """Tell of the rows of a shared array of floats, in which vectors have no addresses of their size; None if even."""
    size = again.finding.size if isinstance(again.finding, Misaligned) else FLOAT
    for name in WORD.findall(again.source.text(scene.line)) if size > FLOAT else ():
        line = again.source.shared_array(name)
        found = re.search(rf"\bfloat\s+.*\b{name}\s*\[[^;]*\]\s*\[([^]]+)\]", again.source.text(line))
        known = {each: again.source.number_of(each, line) for each in WORD.findall(found[1])} if found else {"": 0}
        with suppress(ExpressionError):
            if found and all(known.values()) and (row := whole(found[1], known)) * FLOAT % size:
                rows = f"Line {line} declares {name} with rows of {row} floats, which are no multiple of {size} bytes."
                hint = f"Let its rows have a multiple of {size // FLOAT} floats."
                return Told("", f"{rows}{again.source.places_of_constants(line)}", line, hint)
    return None
