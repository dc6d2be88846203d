"""Which changes of one instruction make a launch right: tries many at once, each on a copy of the block that failed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from math import prod

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.layout import load, operands, store
from grader.model import Case, Interface, Shape
from grader.model.remedies import Remedy
from grader.worker.replay import replays
from grader.worker.replay.changes import SPARES, ChangedInstruction, changes
from grader.worker.replay.machine import NOT_RUNNING, LockstepMachine
from grader.worker.replay.program import FlatProgram, GivesUpError, TooLongError
from grader.worker.replay.replays import MOST_STEPS, Replays
from grader.worker.replay.spots import Axes

SECONDS, SECONDS_OF_ALL = 1.2, 2.0  # for the search, and with its proof, on a quiet machine
LONGEST = 16_000  # instructions of a thread
LONGER, AT_LEAST = 2, 1000  # times as many steps as without a change: what takes more does not end
OF_ENDLESS = 4000  # steps, where it does not end without a change: enough for small sizes
ROUNDING = 1e-5  # of the product of two matrices
FEW, MORE = 8, 14  # rows, columns or terms: so few prove little, and so many more are taken then
COPIES, SMALLEST = 2, 4  # of all blocks, where changes are proved; rows, columns and terms there
MOST, THREADS = 4, 1 << 12  # changes; threads at a time
NO_CHANGE = ChangedInstruction(-1, (), Remedy(0, "", ""))


@dataclass(frozen=True, slots=True)
class Trials:
    """Trials of changes, in one block of a launch or in all."""

    replays: Replays
    block: Axes
    began: float

    def proved(self) -> tuple[Remedy, ...]:
        """Return the changes with which all of C is right, also for other inputs; nothing if none is needed.

        A change with which a line does not run any more may leave out what is wrong, and is none.
        """
        case, found = self.replays.request.case, list[ChangedInstruction]()
        alone, _ = self._run([], case, LONGEST, alone=True)
        numbers = sorted(each for each in alone.executed if alone.code.instructions[each].line)
        waiting = changes(self.replays.code, numbers)
        lines = self._lines(alone)
        most, spent = max(1, THREADS // alone.count), int(alone.spent.max())
        steps = LONGER * spent + AT_LEAST if spent < LONGEST else OF_ENDLESS
        while len(found) < MOST and self._spent() < SECONDS and (some := list(islice(waiting, most))):
            everywhere = self._right_everywhere(self._right(some, case, steps, alone=True), steps)
            if NO_CHANGE in everywhere:
                return ()
            found += [
                each for each in everywhere if self._lines(self._run([each], case, steps, alone=True)[0]) >= lines
            ]
        return tuple(dict.fromkeys(each.told for each in found))

    def _right_everywhere(self, tried: Sequence[ChangedInstruction], steps: int) -> Sequence[ChangedInstruction]:
        """Return the changes with which all of C is right, at other sizes and for other inputs too."""
        case = self._fitting()  # where one block along an axis is all, another axis may be right at that size only
        if 1 in self.replays.request.launch.grid(case.shape)[:2]:
            tried = [each for each in tried if not each.told.was.startswith("blockIdx")]
        right = self._right([*tried, NO_CHANGE], case, steps, alone=False) if tried else []
        for shape in _others(case.shape):
            other = replace(case, seed=case.seed + 1, shape=shape)
            right = self._right(right, other, steps, alone=False) if right else []
        return right

    def _lines(self, machine: LockstepMachine) -> set[int]:
        """Return the lines of the source that have run."""
        return {machine.code.instructions[number].line for number in machine.executed}

    def _fitting(self) -> Case:
        """Return the case, at a size that is no trivial one and of which all blocks and some copies fit the machine."""
        request, given = self.replays.request, self.replays.request.case.shape
        shape = Shape(*(each if each > FEW else each + MORE for each in (given.M, given.N, given.K)))
        while prod(request.launch.grid(shape)) * request.launch.threads * COPIES > replays.MOST_THREADS:
            if min(shape.M, shape.N, shape.K) <= SMALLEST:
                raise GivesUpError("too many threads")
            shape = Shape(*(max(1, each // 2) for each in (shape.M, shape.N, shape.K)))
        return replace(request.case, shape=shape)

    def _spent(self) -> float:
        return time.thread_time() - self.began

    def _run(
        self, tried: Sequence[ChangedInstruction], case: Case, steps: int, *, alone: bool
    ) -> tuple[LockstepMachine, NDArray[np.bool_]]:
        """Run a copy of the launch for each change, or one without any, and return which threads fail."""
        request, copies = replace(self.replays.request, case=case), max(1, len(tried))
        code, number = _extended(self.replays.code, tried), self.replays.number_of(self.block)
        machine = replays.machine_at_start(code, request, number, alone=alone, copies=copies)
        faulty = machine.faulty = np.zeros(machine.count, np.bool_)
        machine.most_each = steps
        start, machine.copy_of = len(self.replays.code.instructions), machine.everyone // (machine.count // copies)
        for copy, changed in enumerate(tried):
            for each in changed.every:
                numbers = range(start, start := start + len(each.instead))
                machine.instead.setdefault(each.number, {})[copy] = numbers
        try:
            machine.run(MOST_STEPS, max(0.0, SECONDS_OF_ALL - self._spent()))
        except TooLongError:
            faulty |= machine.keys != NOT_RUNNING
        faulty |= machine.barriers >= 0
        return machine, faulty

    def _right(
        self, tried: Sequence[ChangedInstruction], case: Case, steps: int, *, alone: bool
    ) -> list[ChangedInstruction]:
        """Return the changes with which everything that is stored is right, and what has to be stored."""
        machine, fails = self._run(tried, case, steps, alone=alone)
        faulty = [bool(each.any()) for each in fails.reshape(len(tried), -1)]
        region = machine.memory.named("C")
        contents = region.data[: region.size * len(tried)].reshape(len(tried), -1)
        own = zip(tried, faulty, contents, strict=True)
        return [each for each, fails, content in own if not fails and self._holds(content, case, alone=alone)]

    def _holds(self, content: NDArray[np.uint8], case: Case, *, alone: bool) -> bool:
        """Whether the memory of C is right: all of it, or of one block what that has stored."""
        interface, element = self.replays.request.interface, self.replays.request.element
        operand, (want, limit, before) = operands(interface, case.shape)["C"], _wanted(case, interface)
        memory = content.view(operand.dtype)
        with np.errstate(invalid="ignore"):
            is_right = np.abs(np.asarray(load(memory, operand, interface), np.float64) - want) <= limit
        if not alone:
            return bool(is_right.all())
        is_stored = load(memory.view(before.dtype) != before, operand, interface).astype(np.bool_)
        return bool((is_right | ~is_stored).all() and (is_right[element] if element else is_stored.any()))


def remedies(replays: Replays, block: Axes) -> tuple[Remedy, ...]:
    """Return changes of one instruction each with which a launch is right; nothing where none is known."""
    if any(each.space == "global" and not each.initial for each in replays.code.module.variables):
        return ()  # copies would share it
    try:
        return Trials(replays, block, time.thread_time()).proved()
    except GivesUpError:
        return ()


def _others(shape: Shape) -> Iterator[Shape]:
    """Yield a size that whole tiles may fill, the one below it, and one at which loops have half as many steps."""
    lengths = shape.M, shape.N, shape.K
    yield Shape(*(max(1, length - 1) for length in lengths))
    yield Shape(*(max(1, length - 2) for length in lengths))
    yield Shape(*(max(1, length // 2) for length in lengths))


@cache
def _wanted(case: Case, interface: Interface) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.generic]]:
    """Return what C should be, how far off it may be, and the bits of its memory before the launch."""
    drawn = inputs.draw(case, interface)
    a, b = drawn.A.astype(np.float64), drawn.B.astype(np.float64)
    want, limit = interface.alpha * (a @ b), ROUNDING * abs(interface.alpha) * (np.abs(a) @ np.abs(b))
    memory = store(drawn.C, operands(interface, case.shape)["C"], interface)
    if drawn.C is not None:
        want = want + interface.beta * drawn.C.astype(np.float64)
    return want, limit, memory.view(f"u{memory.itemsize}")


def _extended(code: FlatProgram, tried: Sequence[ChangedInstruction]) -> FlatProgram:
    """Return the program with the changed instructions behind it, in functions that have spare registers."""
    every = [each for changed in tried for each in changed.every]
    owners = [code.owners[each.number] for each in every for _ in each.instead]
    spared = [replace(each, registers={**each.registers, **SPARES}) for each in owners]
    added = chain.from_iterable(each.instead for each in every)
    return replace(code, instructions=(*code.instructions, *added), owners=(*code.owners, *spared))
