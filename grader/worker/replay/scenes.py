"""The scene of a failed launch: the thread's variables where it failed, and the conditions that it passed."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.scenes import MOST_CONDITIONS, Condition, Scene
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import conditions
from grader.worker.replay.variables import Variables


@dataclass
class SeenConditions:
    """The conditions that a thread came to: of those in one line, the last."""

    variables: Variables
    taken_if_held: dict[int, bool]
    lines: dict[int, int]
    last: dict[int, Condition] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)  # of the branches, each once, the last one last
    thread: int = -1

    def came_to(self, number: int, taken: bool) -> None:
        """Take note of a branch."""
        if number not in self.lines:
            return
        line = self.lines[number]
        self.last.pop(line, None)
        if number in self.numbers:
            self.numbers.remove(number)
        self.numbers.append(number)
        held = taken == self.taken_if_held[number]
        self.last[line] = Condition(line, held, self.variables.of(self.thread, number))


def follow(machine: LockstepMachine, variables: Variables, thread: int) -> SeenConditions:
    """Follow the branches of a thread from now on."""
    branches = dict(conditions(machine.code))
    seen = SeenConditions(variables, branches, {each: machine.code.instructions[each].line for each in branches})
    seen.thread = machine.followed = thread
    machine.on_branch = seen.came_to
    return seen


def scene(machine: LockstepMachine, variables: Variables, seen: SeenConditions, number: int) -> Scene:
    """Return the scene of the thread at an instruction; in a function of a header, at its call."""
    thread = seen.thread
    while not variables.of(thread, number) and (call := machine.return_of(thread, number)) >= 0:
        number = call
    x, y, z = (int(machine.specials[f"tid.{axis}"][thread]) for axis in "xyz")
    block = tuple(int(machine.specials[f"ctaid.{axis}"][thread]) for axis in "xyz")
    line = machine.code.instructions[number].line
    last = tuple(seen.last.values())[-MOST_CONDITIONS:]
    place = (x, y, z), (block[0], block[1], block[2]), line
    return Scene(*place, variables.of(thread, number), last, variables.shadows(number))
