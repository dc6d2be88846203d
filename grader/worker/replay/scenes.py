"""The scene of a failed launch: the thread's variables where it failed, and the conditions that led there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from grader.model.scenes import MOST_CALLS, MOST_CONDITIONS, Condition, NamedValue, Scene
from grader.ptxsim.syntax.records import Symbol
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import FlatProgram, conditions
from grader.worker.replay.spots import axes_of
from grader.worker.replay.variables import Variables

LEAVES = frozenset({"ret", "exit", "trap"})


@dataclass(slots=True)
class SeenBranch:
    """A branch that a thread came to, with the condition of the source as it was the last time.

    The thread has taken the last of its `ways` so many times in a row, and another one at most `most` times before.
    """

    number: int
    condition: Condition
    taken: bool
    before: tuple[NamedValue, ...] = ()  # the variables the time before
    ways: set[bool] = field(default_factory=set)
    times: int = 0
    most: int = 0
    call: int = -1  # of the function in which it is; -1 for the kernel
    visit: int = 0

    def came_again(self, condition: Condition, taken: bool, call: int, visit: int) -> None:
        """Take note of the branch."""
        if taken != self.taken:
            self.times, self.most = 0, max(self.most, self.times)
        self.before = self.condition.variables if self.ways else ()
        self.ways.add(taken)
        self.condition, self.taken, self.times, self.call, self.visit = condition, taken, self.times + 1, call, visit


class SeenConditions:
    """The conditions that a thread comes to from now on, by their branches."""

    def __init__(self, machine: LockstepMachine, variables: Variables, thread: int) -> None:
        self.thread, self.variables, self._machine = thread, variables, machine
        self._taken_if_held = dict(conditions(machine.code))
        self._visits = 0
        self.branches: dict[int, SeenBranch] = {}
        machine.followed, machine.on_branch = thread, self._came_to

    def _came_to(self, number: int, taken: bool) -> None:
        if number not in self._taken_if_held:
            return
        line, held = self._machine.code.instructions[number].line, taken == self._taken_if_held[number]
        condition = Condition(line, held, self.variables.of(self.thread, number))
        branch = self.branches.setdefault(number, SeenBranch(number, condition, taken))
        self._visits += 1
        branch.came_again(condition, taken, self._machine.calls.innermost(self.thread, number), self._visits)

    def in_order(self) -> list[SeenBranch]:
        """Return each branch once, the last one last."""
        return sorted(self.branches.values(), key=lambda each: each.visit)

    def last(self) -> dict[int, Condition]:
        """Return the last condition of each line, in their order."""
        found: dict[int, Condition] = {}
        for each in self.in_order():
            found.pop(each.condition.line, None)
            found[each.condition.line] = each.condition
        return found

    def steady(self, number: int) -> tuple[str, ...]:
        """Return the names of variables that all had the same value at a branch the time before."""
        branch = self.branches[number]
        changed = {each.name for each in branch.condition.variables if each not in branch.before}
        return tuple(dict.fromkeys(each.name for each in branch.condition.variables if each.name not in changed))

    def barring(self, number: int, guards: Guards, *, has_ended: bool) -> tuple[Condition, ...]:
        """Return the conditions before an instruction that were once true and once false, as they were last.

        Loops end anyway, so only the end of one that the thread has not come back to bars it.
        """
        both = [each for each in self.in_order() if len(each.ways) > 1]
        kept = [each for each in both if has_ended or not guards.governs(each.number, each.number)]
        lines = dict.fromkeys(each.condition.line for each in kept if guards.governs(each.number, number))
        last = self.last()
        return tuple(replace(last[each], governs=True) for each in lines)

    def endless(self, guards: Guards) -> int:
        """Return the branch that keeps the thread in a loop without an end; -1 where none is known.

        It has gone one way more often in a row than ever before: a loop inside that ends comes to its end again. Of a
        loop with several ends, the last branch is returned, if no loop has ended.
        """
        loops = [each for each in self.branches.values() if guards.governs(each.number, each.number)]
        going_on = {each.number: each.times for each in loops if each.times > max(1, each.most)}
        last = self.in_order()[-1].number if self.branches and not loops else -1
        return max(going_on, key=going_on.__getitem__, default=last)


def scene(machine: LockstepMachine, seen: SeenConditions, number: int) -> Scene:
    """Return the scene of the thread at an instruction; in a function of a header, at its call."""
    thread, variables = seen.thread, seen.variables
    places = number, *machine.calls.around(thread, number)
    number = next((each for each in places if variables.of(thread, each)), places[-1])
    instructions, calls = machine.code.instructions, machine.calls.around(thread, number)[:MOST_CALLS]
    governing = _governing(machine, seen, number)
    last = [replace(each, governs=each.line in governing) for each in seen.last().values()][-MOST_CONDITIONS:]
    return Scene(
        thread=axes_of(machine, thread),
        block=axes_of(machine, thread, "ctaid"),
        line=instructions[number].line,
        variables=variables.of(thread, number),
        conditions=tuple(last),
        called=tuple(instructions[each].line for each in calls if instructions[each].line),  # none of headers
    )


def _governing(machine: LockstepMachine, seen: SeenConditions, number: int) -> set[int]:
    """Return the lines of the conditions on which it depends that the thread comes to an instruction.

    That a function has returned true is a condition of this function rather than of the line that calls it.
    """
    guards, code = Guards(machine.code), machine.code
    places = {code.owners[each].name: each for each in (number, *machine.calls.around(seen.thread, number))}
    every = [(each, places.get(code.owners[each.number].name)) for each in seen.in_order()]
    here = [each for each, place in every if place is not None and guards.governs(each.number, place)]
    lines = {each.condition.line for each in here}
    for each, place in every:
        line = code.instructions[each.call].line if each.call >= 0 else 0
        if place is None and line in lines:
            lines = lines - {line} | {each.condition.line}
    return lines


class Guards:
    """The conditions of a program by what they guard."""

    def __init__(self, code: FlatProgram) -> None:
        self._code = code

    def governs(self, branch: int, number: int) -> bool:
        """Return whether one way of a branch leads to an instruction of its function, and the other need not."""
        ways = self._ways(branch)
        leads = {each == number or number in self._reached(each, branch) for each in ways}
        leaves = {any(not self._ways(end) for end in self._reached(each, number)) for each in ways}
        return len(leads) > 1 or len(leaves) > 1

    def _ways(self, number: int) -> tuple[int, ...]:
        instruction, owner = self._code.instructions[number], self._code.owners[number].name
        if instruction.opcode in LEAVES and instruction.guard is None:
            return ()
        target = instruction.operands[0] if instruction.opcode == "bra" else None
        place = self._code.labels.get((owner, target.name)) if isinstance(target, Symbol) else None
        following = () if place is not None and instruction.guard is None else (number + 1,)
        return following if place is None else (place, *following)

    @cache  # noqa: B019 - of one program
    def _reached(self, start: int, without: int) -> frozenset[int]:
        """Return all instructions to which one leads, not by way of another."""
        waiting, found = [start], set[int]()
        while waiting:
            number = waiting.pop()
            if number not in found and number != without:
                found.add(number)
                waiting += self._ways(number)
        return frozenset(found)
