"""The scene of a failed launch: the thread's variables where it failed, and the conditions that led there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from grader.model.scenes import MOST_CALLS, MOST_CONDITIONS, Condition, NamedValue, Scene
from grader.ptxsim.syntax.records import Symbol
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import FlatProgram, conditions
from grader.worker.replay.spots import axes_of
from grader.worker.replay.variables import Variables

LEAVES = frozenset({"ret", "exit", "trap"})


@dataclass
class SeenConditions:
    """The conditions that a thread came to: of those in one line, the last."""

    variables: Variables
    call_of: Callable[[int, int], int]
    taken_if_held: dict[int, bool]
    lines: dict[int, int]
    last: dict[int, Condition] = field(default_factory=dict)
    values: dict[int, tuple[NamedValue, ...]] = field(default_factory=dict)  # at each branch, the last time
    before: dict[int, tuple[NamedValue, ...]] = field(default_factory=dict)  # and the time before
    numbers: list[int] = field(default_factory=list)  # of the branches, each once, the last one last
    ways: set[tuple[int, bool]] = field(default_factory=set)  # each branch, and whether it was taken
    in_a_row: dict[int, tuple[bool, int, int]] = field(default_factory=dict)  # the last way, its times, most before
    calls: dict[int, int] = field(default_factory=dict)  # of the functions in which these are; -1 for the kernel
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
        self.ways.add((number, taken))
        way, times, most = self.in_a_row.get(number, (taken, 0, 0))
        self.in_a_row[number] = (taken, times + 1, most) if way == taken else (taken, 1, max(most, times))
        self.calls[number] = self.call_of(self.thread, number)
        held = taken == self.taken_if_held[number]
        self.before[number] = self.values.get(number, ())
        self.values[number] = self.variables.of(self.thread, number)
        self.last[line] = Condition(line, held, self.values[number])

    def steady(self, number: int) -> tuple[str, ...]:
        """Return the names of variables that all had the same value at a branch the time before."""
        changed = {each.name for each in self.values[number] if each not in self.before[number]}
        return tuple(dict.fromkeys(each.name for each in self.values[number] if each.name not in changed))

    def barring(self, number: int, guards: Guards, *, has_ended: bool) -> tuple[Condition, ...]:
        """Return the conditions before an instruction that were once true and once false, as they were last.

        Loops end anyway, so only the end of one that the thread has not come back to bars it.
        """
        both = [each for each in self.numbers if {(each, True), (each, False)} <= self.ways]
        kept = [each for each in both if has_ended or not guards.governs(each, each)]
        lines = dict.fromkeys(self.lines[each] for each in kept if guards.governs(each, number))
        return tuple(replace(self.last[each], governs=True) for each in lines)

    def endless(self, guards: Guards) -> int:
        """Return the branch that keeps the thread in a loop without an end; -1 where none is known.

        It has gone one way more often in a row than ever before: a loop inside that ends comes to its end again. Of a
        loop with several ends, the last branch is returned, if no loop has ended.
        """
        loops = {each: known for each, known in self.in_a_row.items() if guards.governs(each, each)}
        going_on = {each: times for each, (_, times, most) in loops.items() if times > max(1, most)}
        last = self.numbers[-1] if self.numbers and not loops else -1
        return max(going_on, key=going_on.__getitem__, default=last)

    def only_way(self, number: int) -> bool | None:
        """Return whether the thread has taken a branch, if that was the same each time."""
        ways = [taken for taken in (False, True) if (number, taken) in self.ways]
        return ways[0] if len(ways) == 1 else None


def follow(machine: LockstepMachine, variables: Variables, thread: int) -> SeenConditions:
    """Follow the branches of a thread from now on."""
    branches = dict(conditions(machine.code))
    seen = SeenConditions(
        variables, machine.return_of, branches, {each: machine.code.instructions[each].line for each in branches}
    )
    seen.thread = machine.followed = thread
    machine.on_branch = seen.came_to
    return seen


def scene(machine: LockstepMachine, seen: SeenConditions, number: int) -> Scene:
    """Return the scene of the thread at an instruction; in a function of a header, at its call."""
    thread, variables = seen.thread, seen.variables
    while not variables.of(thread, number) and (call := machine.return_of(thread, number)) not in {-1, number}:
        number = call
    line = machine.code.instructions[number].line
    governing = _governing(machine, seen, number)
    last = [replace(each, governs=each.line in governing) for each in seen.last.values()][-MOST_CONDITIONS:]
    return Scene(
        thread=axes_of(machine, thread),
        block=axes_of(machine, thread, "ctaid"),
        line=line,
        variables=variables.of(thread, number),
        conditions=tuple(last),
        called=_calls(machine, thread, number),
    )


def _calls(machine: LockstepMachine, thread: int, number: int) -> tuple[int, ...]:
    """Return the lines of the calls in which a thread is, without those in headers."""
    lines = list[int]()
    while len(lines) < MOST_CALLS and (number := machine.return_of(thread, number)) >= 0:
        lines.append(machine.code.instructions[number].line)
    return tuple(each for each in lines if each)


def _governing(machine: LockstepMachine, seen: SeenConditions, number: int) -> set[int]:
    """Return the lines of the conditions on which it depends that the thread comes to an instruction.

    That a function has returned true is a condition of this function rather than of the line that calls it.
    """
    guards, places, code = Guards(machine.code), dict[str, int](), machine.code
    while number >= 0 and code.owners[number].name not in places:
        places[code.owners[number].name] = number
        number = machine.return_of(seen.thread, number)
    here = [each for each in seen.numbers if code.owners[each].name in places]
    lines = {code.instructions[each].line for each in here if guards.governs(each, places[code.owners[each].name])}
    for each in seen.numbers:
        line = code.instructions[seen.calls[each]].line if seen.calls[each] >= 0 else 0
        if each not in here and line in lines:
            lines = lines - {line} | {code.instructions[each].line}
    return lines


class Guards:
    """The conditions of a program by what they guard."""

    def __init__(self, code: FlatProgram) -> None:
        self._code = code

    def governs(self, branch: int, number: int) -> bool:
        """Return whether one way of a branch leads to an instruction of its function, and the other need not."""
        before = self._before(self._code.owners[number].name)
        ways = self._ways(branch)
        reaching, leaving = _back([number], before, branch), _back(self._ends(number), before, number)
        if len({each in reaching or each == number for each in ways}) > 1:
            return True
        return len({each in leaving and each != number for each in ways}) > 1

    def _ways(self, number: int) -> tuple[int, ...]:
        instruction, owner = self._code.instructions[number], self._code.owners[number].name
        if instruction.opcode in LEAVES and instruction.guard is None:
            return ()
        target = instruction.operands[0] if instruction.opcode == "bra" else None
        place = self._code.labels.get((owner, target.name)) if isinstance(target, Symbol) else None
        following = () if place is not None and instruction.guard is None else (number + 1,)
        return following if place is None else (place, *following)

    def _ends(self, number: int) -> list[int]:
        return [each for each in self._of_function(self._code.owners[number].name) if not self._ways(each)]

    def _of_function(self, name: str) -> range:
        start = self._code.starts[name]
        end = start
        while end < len(self._code.owners) and self._code.owners[end].name == name:
            end += 1
        return range(start, end)

    @cache  # noqa: B019 - of one program
    def _before(self, function: str) -> Mapping[int, Sequence[int]]:
        before: dict[int, list[int]] = {}
        for number in self._of_function(function):
            for way in self._ways(number):
                before.setdefault(way, []).append(number)
        return before


def _back(ends: Iterable[int], before: Mapping[int, Sequence[int]], without: int) -> set[int]:
    """Return all instructions from which one of the ends is reached, not by way of one."""
    waiting = [each for each in ends if each != without]
    found = set(waiting)
    while waiting:
        for each in before.get(waiting.pop(), ()):
            if each not in found and each != without:
                found.add(each)
                waiting.append(each)
    return found
