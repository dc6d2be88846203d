"""Replays a launch that failed, as a request asks, and returns what it shows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from grader.contract.found import Finding
from grader.contract.messages import Replay, Replayed
from grader.model.findings import OutOfBounds, OutOfTime
from grader.model.matrices import MATRICES
from grader.model.remedies import Remedy
from grader.model.scenes import MOST_CONDITIONS, Scene, Story
from grader.ptxsim.records.lacks import PtxError
from grader.ptxsim.records.races import Races
from grader.ptxsim.records.traced import UnsetRead, UnsetVariable
from grader.ptxsim.syntax.parser import parse
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.local_arrays import of_left_array
from grader.worker.replay.machine import NOT_RUNNING, LockstepMachine
from grader.worker.replay.never_stored import block_of, never_stored
from grader.worker.replay.program import GivesUpError, TooLongError, program
from grader.worker.replay.replays import Replays, kept_from, raced, scene_at, turned_away
from grader.worker.replay.scenes import Guards, SeenConditions, scene
from grader.worker.replay.spots import Axes, address_of, spot_of, thread_of
from grader.worker.replay.story import FoundStory, cancelled, narrowed, story
from grader.worker.replay.sums import is_same
from grader.worker.replay.threads import SoughtAccess
from grader.worker.replay.traced_values import TracedValues
from grader.worker.replay.trials import remedies
from grader.worker.replay.unset import of_unset, with_stores
from grader.worker.replay.variables import Variables


def replay(request: Replay, text: str, source: str) -> Replayed:
    """Return what a launch of the program `text` shows; nothing for what does not happen again."""
    shown = Replayed()
    with suppress(GivesUpError, PtxError, LookupError, ValueError, ArithmeticError):  # what no compiler has written
        code = program(parse(text, source))
        replays = Replays(request, code, DebugInfo(text, code.places))
        found = request.finding
        if isinstance(found, Races) and request.element is None:
            earlier, later = raced(replays, found.races[0])
            shown = Replayed(later, earlier=earlier)
        elif found is None or isinstance(found, Races):
            shown = Replayed(story=_story(replays))
            if found is None and not shown.story and (block := block_of(request, *(request.element or (0, 0)))):
                shown = Replayed(of_left_array(replays, block))
        else:
            shown = Replayed(scene=_scene(replays, found))
        shown = replace(shown, changes=_changes(replays, shown))
    return shown


def _changes(replays: Replays, shown: Replayed) -> tuple[Remedy, ...]:
    """Return what would make the launch right, where what it shows does not tell why it is wrong."""
    request, story = replays.request, shown.story
    if request.finding is None:
        is_told = story and (story.narrowing or story.stale or story.cancelled)
        block = block_of(request, *request.element) if request.element and not is_told else None
    else:
        spot = spot_of(request.finding) if isinstance(request.finding, OutOfBounds | OutOfTime) else None
        block = spot.block if spot else None
    return remedies(replays, block) if block else ()


def _scene(replays: Replays, found: Finding) -> Scene | None:
    if isinstance(found, UnsetVariable):
        return of_unset(replays)
    spot = spot_of(found)
    if spot is None:
        return None
    machine = replays.machine(spot.block)
    thread = thread_of(machine, spot.thread, spot.block)
    seen = SeenConditions(machine, Variables(machine, replays.info), thread)
    at = SoughtAccess(thread, spot.line, address_of(machine, spot), multiple=spot.multiple)
    try:
        number = replays.run(machine, at)
    except GivesUpError as error:
        is_endless = isinstance(found, OutOfTime) and isinstance(error, TooLongError)
        return _of_endless(machine, seen) if is_endless else None
    if number < 0:
        return None
    shown = scene(machine, seen, number)
    return with_stores(replays, shown, found, spot) if isinstance(found, UnsetRead) else shown


def _of_endless(machine: LockstepMachine, seen: SeenConditions) -> Scene | None:
    """Return the scene of a thread that is still in the loop in which it ran out of time."""
    runs, number = machine.keys[seen.thread] != NOT_RUNNING, seen.endless(Guards(machine.code))
    return replace(scene(machine, seen, number), steady=seen.steady(number)) if runs and number >= 0 else None


def _story(replays: Replays) -> Story | None:
    request = replays.request
    if request.element is None:
        return None
    row, column = request.element
    block = block_of(request, row, column)
    machine = replays.traced(block)
    traced = TracedValues(machine, request.interface, request.case.shape)
    begun = Story(row, column, 0, names=_names(replays, machine))
    if not (store := traced.stores.stored(row, column)):
        return never_stored(replays, traced, begun, block) if request.got is None else None
    is_raced = request.finding is not None  # which of two stores comes last is not the same again
    if request.got is None or not (is_raced or is_same(traced.stores.value(row, column), request.got, 1e-4)):
        return None
    begun = replace(begun, stored=traced.line_of(store), total=request.case.shape.K)
    with suppress(GivesUpError):
        if (found := _differing(replays, story(traced, begun, store))) is not None:
            return _with_scenes(replays, traced, found, store, block)
    return narrowed(traced, begun, store, _own_types(request)) or cancelled(traced, begun, store)


def _differing(replays: Replays, found: FoundStory) -> FoundStory | None:
    """Return the story if its terms are not all right; C from before the launch may belong to the sum."""
    told = replace(found.story, besides="") if replays.request.interface.beta else found.story
    return replace(found, story=told) if told.is_wrong or told.missing or told.twice or told.besides else None


def _with_scenes(replays: Replays, traced: TracedValues, found: FoundStory, store: int, block: Axes | None) -> Story:
    """Return the story with the threads at its load and its read, or else at the store of the sum."""
    if found.stale[0]:
        last, again = found.stale
        return replace(found.story, scene=kept_from(replays, block, traced.origins.node(last), traced.access(again)))
    shown = scene_at(replays, block, traced.access(found.load or store))
    if found.story.zeros and found.load and shown:
        shown = _left_at_zero(replays, traced, found.load, block, shown)
    reader = scene_at(replays, block, traced.access(found.read)) if found.read else None
    return replace(found.story, scene=shown, reader=reader)


def _left_at_zero(replays: Replays, traced: TracedValues, zero: int, block: Axes | None, shown: Scene) -> Scene:
    """Return the scene of a store of zero, with the condition that kept its thread from another store over it."""
    node, other, turned = traced.origins.node(zero), traced.store_beside(zero), None
    if other and block:
        with suppress(GivesUpError):
            turned = turned_away(replays, block, node.thread, other.thread, other.number)
    if not turned or turned.conditions[-1].line <= shown.line:
        return shown
    kept = replace(turned.conditions[-1], governs=True)
    return replace(shown, conditions=(*shown.conditions[1 - MOST_CONDITIONS :], kept))


def _own_types(request: Replay) -> frozenset[str]:
    """Return the types of the lab's matrices, to which its sums may be rounded."""
    return frozenset(request.interface.types.values())


def _names(replays: Replays, machine: LockstepMachine) -> tuple[str, str, str]:
    """Return the names of the kernel's parameters for A, B and C; these letters where they have none."""
    variables = Variables(machine, replays.info)
    known = {each.value: each.name for each in variables.of(0, replays.code.starts[replays.request.build.symbol])}
    a, b, c = (known.get(name, name) for name in MATRICES)
    return a, b, c
