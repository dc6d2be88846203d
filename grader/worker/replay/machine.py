"""Executes a launch, all threads at once: those that are at one instruction take it together.

Of all threads, those in the deepest call and there at the first instruction come next, so that threads that took
different ways meet again. Registers belong to functions, so a function that calls itself is not replayed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Function, Guard, Instruction, Integer, Symbol
from grader.worker.replay.memory import UNSET_BYTE, Call, LaunchMemory, MemoryRegion, call_of, copied
from grader.worker.replay.origins import CONSTANT, NEVER_SET, UNSET, Origins
from grader.worker.replay.program import FlatProgram, GivesUpError, TooLongError
from grader.worker.replay.threads import LaunchGeometry, ReachedError, RegisterCell, SoughtAccess, Step, Who

NOT_RUNNING = np.int64(1 << 62)
DEPTH = 32  # bits of a key below the depth of calls
MOST_DEPTH, MOST_CALLS = 64, 4
BITS = re.compile(r"^[busf](8|16|32|64)$")
STEPS_PER_LOOK = 512


class LockstepMachine:
    """The threads of a launch."""

    def __init__(
        self,
        code: FlatProgram,
        kernel: str,
        geometry: LaunchGeometry,
        granule: int,
        dynamic_shared: int,
        compile_step: Callable[[LockstepMachine, int], Step],
    ) -> None:
        self.code, self.geometry, self._compile_step = code, geometry, compile_step
        self.count = geometry.per_block * len(geometry.blocks)
        self.everyone = np.arange(self.count)
        blocks = self.everyone // geometry.per_block
        self.memory = LaunchMemory(self.count, blocks, granule)
        self.memory.place_variables(code, dynamic_shared)
        self.specials, self.origins = geometry.specials(), Origins()
        self.keys = np.full(self.count, code.starts[kernel], np.int64)
        self.barriers = np.full(self.count, -1, np.int64)  # which each thread waits at
        self.waiting_keys = np.zeros(self.count, np.int64)
        self.watched: SoughtAccess | None = None
        self.followed = -1  # a thread
        self.traces = False  # whether values have origins
        self.on_branch: Callable[[int, bool], None] = lambda *_: None
        self.instead: dict[int, dict[int, range]] = {}  # the instructions that a copy takes instead of one
        self.copy_of = np.zeros(self.count, np.int64)
        self.spent, self.most_each = np.zeros(self.count, np.int64), 1 << 62  # instructions of each thread
        self.faulty: NDArray[np.bool_] | None = None  # threads that access what is no memory
        self.steps = 0
        self._cells: dict[tuple[str, str], RegisterCell] = {}
        self._parameters: dict[tuple[str, str], MemoryRegion] = {}
        self._returns: dict[str, NDArray[np.int64]] = {}
        self._steps: dict[int, Step] = {}
        self._calls: dict[int, Call] = {}

    @property
    def executed(self) -> Iterable[int]:
        """The instructions that were executed, without branches and calls."""
        return self._steps

    def cell(self, function: Function, name: str) -> RegisterCell:
        """Return a register of a function."""
        key = function.name, name
        if key not in self._cells:
            kind = function.registers[name]
            bits = BITS.search(kind)
            if bits is None and kind != "pred":
                raise GivesUpError(f"a register of the type {kind}")
            cell = self._cells[key] = RegisterCell(np.zeros(self.count, f"u{int(bits[1]) // 8}" if bits else np.bool_))
            if kind.startswith("f"):
                cell.data.view(np.uint8)[:] = UNSET_BYTE
                cell.origins = np.full(self.count, NEVER_SET) if self.traces else None
        return self._cells[key]

    def parameter(self, function: Function, name: str) -> MemoryRegion | None:
        """Return the memory of a parameter, of a result, or of an argument of a call."""
        key = function.name, name
        if key not in self._parameters:
            every = (*function.parameters, *function.results, *function.locals)
            found = next((each for each in every if each.name == name), None)
            if found is None:
                return None
            self._parameters[key] = self.memory.add(name, found.size, self.everyone, self.count)
        return self._parameters[key]

    def size_of(self, address: int) -> int:
        """Return how many bytes a shared array has that begins at an address."""
        base, region = self.memory.bases["shared"], self.memory.region(address)
        owned = (each.variables for each in self.code.module.functions)
        every = (each for each in (*self.code.module.variables, *chain(*owned)) if each.space == "shared")
        sizes = [each.size for each in every if self.memory.symbols[each.name] + base == address]
        return max(sizes, default=0) or (region.base + region.size - address if region else 0)

    def symbol_at(self, space: str, offset: int) -> tuple[str, int]:
        """Return the variable of a space in which an offset is, or which begins last before it, and where it begins."""
        functions = self.code.module.functions
        every = [*self.code.module.variables, *(each for function in functions for each in function.variables)]
        starts = {self.memory.symbols[each.name]: each.name for each in every if each.space == space}
        start = max((each for each in starts if each <= offset), default=None)
        return ("", 0) if start is None else (starts[start], start)

    def part(self, region: MemoryRegion, offset: int, kind: np.dtype[np.generic]) -> RegisterCell:
        """Return a part of a parameter as a cell."""
        if not 0 <= offset <= region.size - kind.itemsize or offset % kind.itemsize:
            raise GivesUpError("a part of a parameter")
        column = region.view(kind).reshape(self.count, -1)[:, offset // kind.itemsize]
        origins = region.origins[:-1].reshape(self.count, -1)[:, offset // region.granule]
        return RegisterCell(column, origins)

    def run(self, most_steps: int, seconds: float) -> None:
        """Run until every thread has returned or none can go on.

        Raises:
            GivesUpError: for what is not replayed, or at the limits.
            ReachedError: at the access that is looked for.

        """
        end = self.steps + most_steps, time.thread_time() + seconds
        with np.errstate(all="ignore"):
            while True:
                key = int(self.keys.min(initial=NOT_RUNNING))
                if key == NOT_RUNNING:
                    if not self._open_barriers():
                        return
                    continue
                before = self.steps
                who = self._run_together(key, end)
                if self.faulty is not None:
                    self.spent[who] += self.steps - before
                    over = who[self.spent[who] > self.most_each]
                    self.faulty[over], self.keys[over] = True, NOT_RUNNING

    def _run_together(self, key: int, end: tuple[int, float]) -> Who:
        """Run the threads with this key until they part, or meet others, and return them."""
        is_next = self.keys == key
        who, others = np.flatnonzero(is_next), self.keys[~is_next]
        depth = -(key >> DEPTH)
        above = int(others.min(initial=NOT_RUNNING))
        number = key + (depth << DEPTH)
        meets = above + (depth << DEPTH) if -(above >> DEPTH) == depth else 1 << DEPTH
        while number < meets:
            self.steps += 1
            if self.steps > end[0] or (self.steps % STEPS_PER_LOOK == 0 and time.thread_time() > end[1]):
                self.keys[who] = number - (depth << DEPTH)
                raise TooLongError("takes too long")
            instruction = self.code.instructions[number]
            match instruction.opcode:
                case "bra":
                    following = self._branch(number, instruction, who, depth)
                    if following is None:
                        return who
                    is_again, number = following <= number, following
                    if is_again and self.faulty is not None:
                        break
                    continue
                case "call" | "ret" | "exit" | "bar" | "barrier" if instruction.modifiers[:1] != ("warp",):
                    part = who if instruction.guard is None else who[self._holds(number, instruction.guard, who)]
                    if len(part) < len(who):
                        self.keys[who] = number + 1 - (depth << DEPTH)
                    if len(part):
                        self._leave(number, instruction, part, depth)
                    return who
                case _:
                    self._take(number, instruction, who)
            number += 1
        self.keys[who] = number - (depth << DEPTH)
        return who

    def _take(self, number: int, instruction: Instruction, who: Who) -> None:
        if number in self.instead:
            who = self._take_others(number, who)
        step = self._steps.get(number)
        if step is None:
            step = self._steps[number] = self._compile_step(self, number)
        if instruction.guard is not None:
            who = who[self._holds(number, instruction.guard, who)]
        if len(who):
            step(who)

    def _take_others(self, number: int, who: Who) -> Who:
        """Take what changed copies have instead of an instruction, and return the threads of the others."""
        copies, instead = self.copy_of[who], self.instead[number]
        first, last = np.searchsorted(copies, [min(instead), max(instead) + 1])
        starts = {copy: np.searchsorted(copies, [copy, copy + 1]) for copy in instead}
        for copy, (start, end) in starts.items():
            for each in instead[copy] if start < end else ():
                self._take(each, self.code.instructions[each], who[start:end])
        others = [who[:first], who[last:]]
        if len(instead) <= max(instead) - min(instead):
            others.append(who[first:last][~np.isin(copies[first:last], list(instead))])
        return np.concatenate(others)

    def _holds(self, number: int, guard: Guard, who: Who) -> NDArray[np.bool_]:
        values = self.cell(self.code.owners[number], guard.register.name).data[who]
        return np.asarray(values == (not guard.negated))

    def _branch(self, number: int, instruction: Instruction, who: Who, depth: int) -> int | None:
        """Return where the threads go on together; None if they part."""
        target = instruction.operands[0]
        place = (
            self.code.labels.get((self.code.owners[number].name, target.name)) if isinstance(target, Symbol) else None
        )
        if place is None:
            raise GivesUpError("a branch")
        if instruction.guard is None:
            return place
        taken = self._holds(number, instruction.guard, who)
        if self.followed >= 0 and len(at := np.flatnonzero(who == self.followed)):
            self.on_branch(number, bool(taken[at[0]]))
        if taken.all() or not taken.any():
            return place if taken[0] else number + 1
        self.keys[who] = np.where(taken, place, number + 1) - (depth << DEPTH)
        return None

    def _leave(self, number: int, instruction: Instruction, who: Who, depth: int) -> None:
        function = self.code.owners[number]
        if instruction.opcode == "call":
            self._call(number, who, depth)
        elif instruction.opcode in {"bar", "barrier"}:
            self._wait(number, instruction, who, depth)
        elif instruction.opcode == "exit" or depth == 0:
            self.keys[who] = NOT_RUNNING
        else:
            calls = self._returns[function.name][who]
            self._returns[function.name][who] = -1
            for call in np.unique(calls):
                part = who[calls == call]
                for source, target in self._calls[int(call)].results:
                    copied(source, target, part)
                self.keys[part] = call + 1 - ((depth - 1) << DEPTH)

    def _call(self, number: int, who: Who, depth: int) -> None:
        if number not in self._calls:
            self._calls[number] = call_of(self.code, self.parameter, number)
        callee, arguments = self._calls[number].callee, self._calls[number].arguments
        returns = self._returns.setdefault(callee.name, np.full(self.count, -1, np.int64))
        if depth >= MOST_DEPTH or (returns[who] >= 0).any():
            raise GivesUpError("a function that calls itself")
        for source, target in arguments:
            copied(source, target, who)
        self.memory.begin(callee, who)
        returns[who] = number
        self.keys[who] = self.code.starts[callee.name] - ((depth + 1) << DEPTH)

    def return_of(self, thread: int, number: int) -> int:
        """Return the call of the function that a thread is in at an instruction; -1 for the kernel itself."""
        returns = self._returns.get(self.code.owners[number].name)
        return -1 if returns is None else int(returns[thread])

    def place_of(self, number: int, who: Who) -> int:
        """Return an instruction, or where it has no line, the call of its function by these threads."""
        for _ in range(MOST_DEPTH):
            call = -1 if self.code.instructions[number].line else self.return_of(int(who[0]), number)
            if call < 0:
                break
            number = call
        return number

    def constant(self, number: int, who: Who, values: NDArray[np.generic]) -> NDArray[np.int64]:
        """Return the nodes of a constant, where a sum may begin."""
        calls, place = list[int](), self.place_of(number, who)
        while len(calls) < MOST_CALLS and (call := self.return_of(int(who[0]), calls[-1] if calls else place)) >= 0:
            calls.append(call)
        return self.origins.add(CONSTANT, place, who, values, [np.full(len(who), each) for each in calls])

    def with_unset(self, number: int, who: Who, nodes: NDArray[np.int64], *addresses: NDArray[np.int64]) -> None:
        """Give those of some values a node that nobody has set, in a register or at their addresses."""
        unset = nodes == NEVER_SET
        if unset.any():
            at, watched = self.place_of(number, who), self.watched
            if watched and watched.address == NEVER_SET and (who[unset] == watched.thread).any() and watched.reached():
                raise ReachedError(number)
            sources = [each[unset] for each in addresses]
            nodes[unset] = self.origins.add(UNSET, at, who[unset], np.full(len(who), np.nan)[unset], sources)

    def line_of(self, number: int, who: Who) -> int:
        """Return the line of the student's at which these threads are."""
        return self.code.instructions[self.place_of(number, who)].line

    def _wait(self, number: int, instruction: Instruction, who: Who, depth: int) -> None:
        barrier = instruction.operands[0] if instruction.operands else Integer(0)
        if "sync" not in instruction.modifiers or len(instruction.operands) > 1 or not isinstance(barrier, Integer):
            raise GivesUpError("a barrier of some threads")
        self.barriers[who], self.waiting_keys[who] = barrier.value, number + 1 - (depth << DEPTH)
        self.keys[who] = NOT_RUNNING

    def _open_barriers(self) -> bool:
        """Let the blocks go on of which all threads wait at one barrier."""
        waits = self.barriers.reshape(-1, self.geometry.per_block)
        latest = waits.max(axis=1, keepdims=True)  # a thread that has returned waits nowhere
        opens = ((waits == latest) | (waits < 0)).all(axis=1) & (latest[:, 0] >= 0)
        who = np.flatnonzero(np.repeat(opens, self.geometry.per_block) & (self.barriers >= 0))
        self.keys[who], self.barriers[who] = self.waiting_keys[who], -1
        return bool(len(who))
