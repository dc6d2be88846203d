"""Executes a launch, all threads at once: those that are at one instruction take it together.

Of all threads, those in the deepest call and there at the first instruction come next, so that threads that took
different ways meet again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Function, Guard, Instruction, Integer, Register, Symbol
from grader.worker.replay.calls import Calls
from grader.worker.replay.memory import UNSET_BYTE, LaunchMemory
from grader.worker.replay.origins import CONSTANT, NEVER_SET, UNSET, Origins
from grader.worker.replay.program import FlatProgram, GivesUpError, TooLongError
from grader.worker.replay.threads import LaunchGeometry, ReachedError, RegisterCell, SoughtAccess, Step, Who

NOT_RUNNING = np.int64(1 << 62)
DEPTH = 32  # bits of a key below the depth of calls
MOST_CALLS = 4
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
        self.calls = Calls(code, self.memory)
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
        self.steps = self.opened = 0  # barriers
        self._cells: dict[tuple[str, str], RegisterCell] = {}
        self._steps: dict[int, Step] = {}

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
        if instruction.opcode == "call":
            self.keys[who] = self.calls.begin(number, who) - ((depth + 1) << DEPTH)
        elif instruction.opcode in {"bar", "barrier"}:
            self._wait(number, instruction, who, depth)
        elif instruction.opcode == "exit" or depth == 0:
            self.keys[who] = NOT_RUNNING
        else:
            for part, call in self.calls.end(number, who):
                self.keys[part] = call + 1 - ((depth - 1) << DEPTH)

    def place_of(self, number: int, who: Who) -> int:
        """Return an instruction, or where it has no line, the call of its function by these threads."""
        if self.code.instructions[number].line:
            return number
        places = number, *self.calls.around(int(who[0]), number)
        return next((each for each in places if self.code.instructions[each].line), places[-1])

    def add(
        self, kind: str, number: int, who: Who, values: NDArray[np.generic], sources: Sequence[Who]
    ) -> NDArray[np.int64]:
        """Return the nodes of the values that an instruction makes."""
        return self.origins.add(kind, self.place_of(number, who), who, values, sources)

    def constant(self, number: int, who: Who, values: NDArray[np.generic]) -> NDArray[np.int64]:
        """Return the nodes of a constant, where a sum may begin."""
        calls = self.calls.around(int(who[0]), self.place_of(number, who))[:MOST_CALLS]
        return self.add(CONSTANT, number, who, values, [np.full(len(who), each) for each in calls])

    def with_unset(self, number: int, who: Who, nodes: NDArray[np.int64], *addresses: NDArray[np.int64]) -> None:
        """Give those of some values a node that nobody has set, in a register or at their addresses."""
        unset = nodes == NEVER_SET
        if unset.any():
            watched = self.watched
            if watched and watched.address == NEVER_SET and (who[unset] == watched.thread).any() and watched.reached():
                raise ReachedError(number)
            sources = [each[unset] for each in addresses]
            nodes[unset] = self.add(UNSET, number, who[unset], np.full(len(who), np.nan)[unset], sources)

    def line_of(self, number: int, who: Who) -> int:
        """Return the line of the student's at which these threads are."""
        return self.code.instructions[self.place_of(number, who)].line

    def _wait(self, number: int, instruction: Instruction, who: Who, depth: int) -> None:
        barrier = instruction.operands[0] if instruction.operands else Integer(0)
        is_of_some = "sync" not in instruction.modifiers or instruction.operands[1:]
        if is_of_some or not isinstance(barrier, Integer | Register):
            raise GivesUpError("a barrier of some threads")
        owner = self.code.owners[number]
        self.barriers[who] = barrier.value if isinstance(barrier, Integer) else self.cell(owner, barrier.name).data[who]
        self.waiting_keys[who] = number + 1 - (depth << DEPTH)
        self.keys[who] = NOT_RUNNING

    def _open_barriers(self) -> bool:
        """Let the blocks go on of which all threads wait at one barrier."""
        waits = self.barriers.reshape(-1, self.geometry.per_block)
        latest = waits.max(axis=1, keepdims=True)  # a thread that has returned waits nowhere
        opens = ((waits == latest) | (waits < 0)).all(axis=1) & (latest[:, 0] >= 0)
        who = np.flatnonzero(np.repeat(opens, self.geometry.per_block) & (self.barriers >= 0))
        self.keys[who], self.barriers[who] = self.waiting_keys[who], -1
        self.opened += 1
        return bool(len(who))
