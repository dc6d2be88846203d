"""Random programs whose lanes meet at warp operations in different branches, and what the PTX ISA says they compute.

The two sides of a branch have the same operations with the same masks in the same order, and whatever else differs.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TypeAlias

LANES, BITS = 32, (1 << 32) - 1
OPERATIONS = (
    *("shfl.sync.idx.b32", "shfl.sync.bfly.b32", "shfl.sync.up.b32", "shfl.sync.down.b32", "vote.sync.ballot.b32"),
    *("vote.sync.any.pred", "vote.sync.all.pred", "match.any.sync.b32", "match.any.sync.b64", "redux.sync.add.u32"),
    *("redux.sync.max.s32", "elect.sync", "bar.warp.sync"),
)
QUARTER = 28 << 8  # of a shuffle's segments: four lanes each


@dataclass(frozen=True)
class Meet:
    """An operation for groups of `size` lanes; `number` says which lane a shuffle reads."""

    operation: str
    size: int
    number: int = 1


@dataclass(frozen=True)
class Step:
    """x = x * factor + added."""

    factor: int
    added: int


@dataclass(frozen=True)
class Branch:
    """Lanes with (lane * factor + i) % modulus < limit take the first side; i counts the innermost loop."""

    factor: int
    modulus: int
    limit: int
    sides: tuple[Code, Code]


@dataclass(frozen=True)
class Loop:
    count: int
    body: Code


Code: TypeAlias = tuple[Meet | Step | Branch | Loop, ...]
Plan: TypeAlias = list["Meet | tuple[int, Plan]"]  # operations, and loops of operations
Given: TypeAlias = tuple[Meet, int, int]  # what a lane gives to an operation: also its mask and value


def program(seed: int) -> tuple[str, list[int]]:
    """Return a program that stores a word for each lane, and these words."""
    choose = random.Random(seed)  # noqa: S311
    code = _code(choose, _plan(choose, 2), 3 if seed % 4 else 0)  # a quarter has no branches
    lines = list(_ptx(code, iter(range(1, 1000)), 0))
    return HEAD + "\n".join(lines) + TAIL, _run(code)


def _plan(choose: random.Random, depth: int) -> Plan:
    plan: Plan = []
    for _ in range(choose.randint(1, 3)):
        if depth and choose.random() < 0.3:
            plan.append((choose.randint(2, 4), _plan(choose, depth - 1)))
        else:
            plan.append(Meet(choose.choice(OPERATIONS), choose.choice([32, 32, 16, 8, 4])))
    return plan


def _code(choose: random.Random, plan: Plan, depth: int) -> Code:
    """Return code with the operations of a plan in each way through it."""
    code: list[Meet | Step | Branch | Loop] = []
    while plan:
        count = choose.randint(1, len(plan))
        part, plan = plan[:count], plan[count:]
        code.append(Step(choose.choice([1, 3, 5]), choose.randint(0, 99)))
        if depth and choose.random() < 0.7:
            modulus = choose.choice([2, 3, 5, 32])
            sides = _code(choose, part, depth - 1), _code(choose, part, depth - 1)
            code.append(Branch(choose.choice([1, 3, 7]), modulus, choose.randint(1, modulus - 1), sides))
            continue
        for item in part:
            if isinstance(item, Meet):
                code += [Step(3, choose.randint(0, 99)), Meet(item.operation, item.size, choose.randint(1, 31))]
            else:
                code.append(Loop(item[0], _code(choose, item[1], depth)))
    return tuple(code)


HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b32 %i<20>; .reg .b32 %x; .reg .b32 %lane;
mov.u32 %lane, %laneid; mov.u32 %x, %lane; mov.u32 %i0, 0;
"""
TAIL = """
ld.param.u64 %rd0, [p]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.s64 %rd2, %rd0, %rd1;
st.global.u32 [%rd2], %x; ret; }
"""


def _ptx(code: Code, numbers: Iterator[int], depth: int) -> Iterator[str]:
    for part in code:
        match part:
            case Step(factor, added):
                yield f"mad.lo.u32 %x, %x, {factor}, {added};"
            case Meet():
                yield from _operation(part)
            case Loop(count, body):
                label, own = next(numbers), depth + 1
                yield f"mov.u32 %i{own}, 0; L{label}:"
                yield from _ptx(body, numbers, own)
                yield f"add.u32 %i{own}, %i{own}, 1; setp.lt.u32 %p0, %i{own}, {count}; @%p0 bra L{label};"
            case Branch(factor, modulus, limit, (first, second)):
                label = next(numbers)
                yield f"mad.lo.u32 %r0, %lane, {factor}, %i{depth}; rem.u32 %r0, %r0, {modulus};"
                yield f"setp.ge.u32 %p0, %r0, {limit}; @%p0 bra L{label};"
                yield from _ptx(first, numbers, depth)
                behind = next(numbers)
                yield f"bra L{behind}; L{label}:"
                yield from _ptx(second, numbers, depth)
                yield f"L{behind}:"


def _operation(meet: Meet) -> Iterator[str]:
    name, size, number = meet.operation, meet.size, meet.number
    mask = "-1" if size == LANES else "%r1"
    yield f"and.b32 %r0, %lane, {LANES - size}; shl.b32 %r1, {(1 << size) - 1}, %r0;"  # the first of a group, its mask
    sources = {
        "idx": f"add.u32 %r2, %lane, {number}; and.b32 %r2, %r2, {size - 1}; or.b32 %r2, %r2, %r0;",
        "bfly": f"mov.u32 %r2, {number % size};",
    }
    how = f"{name}.".split(".")[2]
    if name.startswith("shfl"):
        yield sources.get(how, f"mov.u32 %r2, {number % 4};")
        yield f"{name} %x, %x, %r2, {_LIMITS[how]}, {mask};"
    elif name.startswith("vote"):
        yield "and.b32 %r2, %x, 1; setp.ne.u32 %p1, %r2, 0;"
        is_ballot = how == "ballot"
        yield f"{name} {'%r3' if is_ballot else '%p2'}, %p1, {mask};"
        yield f"{'' if is_ballot else 'selp.u32 %r3, 7, 0, %p2; '}add.u32 %x, %x, %r3;"
    elif name.startswith("match"):
        given = "%rd3" if name.endswith("b64") else "%r2"
        yield "and.b32 %r2, %x, 3; cvt.u64.u32 %rd3, %r2; shl.b64 %rd3, %rd3, 40;"
        yield f"{name} %r3, {given}, {mask}; add.u32 %x, %x, %r3;"
    elif name == "elect.sync":
        yield f"{name} %r3|%p2, {mask}; add.u32 %x, %x, %r3; @%p2 add.u32 %x, %x, 7;"
    else:
        yield f"{name} %x, %x, {mask};" if name.startswith("redux") else f"{name} {mask};"


_LIMITS = {"idx": 31, "bfly": 31, "up": QUARTER, "down": QUARTER | 31}


def _run(code: Code) -> list[int]:
    """Let lanes run until each waits or has ended, and those go on that wait for nobody else, again and again."""
    values = list(range(LANES))
    lanes = {lane: _lane(code, lane, 0, values) for lane in range(LANES)}
    waiting: dict[int, Given] = {}
    going: dict[int, dict[int, int]] = {lane: {} for lane in lanes}
    while going:
        for lane, group in going.items():
            try:
                waiting[lane] = next(lanes[lane]) if not group else lanes[lane].send(group)
            except StopIteration:
                del lanes[lane]
        going = {}
        for lane, (meet, mask, _) in waiting.items():
            named = [other for other in lanes if mask >> other & 1]
            if all((waiting[one][0].operation, waiting[one][1]) == (meet.operation, mask) for one in named):
                going[lane] = {other: waiting[other][2] for other in named}
        waiting = {lane: given for lane, given in waiting.items() if lane not in going}
    assert not waiting
    return values


def _lane(code: Code, lane: int, i: int, values: list[int]) -> Generator[Given, dict[int, int], None]:
    for part in code:
        match part:
            case Step(factor, added):
                values[lane] = values[lane] * factor + added & BITS
            case Loop(count, body):
                for number in range(count):
                    yield from _lane(body, lane, number, values)
            case Branch(factor, modulus, limit, (first, second)):
                side = first if (lane * factor + i) % modulus < limit else second
                yield from _lane(side, lane, i, values)
            case Meet(_, size):
                mask = (1 << size) - 1 << (lane & LANES - size)
                group = yield part, mask, values[lane]
                values[lane] = _result(part, lane, group) & BITS


def _result(meet: Meet, lane: int, group: dict[int, int]) -> int:
    """Return what x is after an operation: a value of the group, or its own with what the group says."""
    own, number, step = group[lane], meet.number, meet.number % 4
    odd = [other for other, value in group.items() if value & 1]
    source = {
        "idx": lane & LANES - meet.size | lane + number & meet.size - 1,
        "bfly": lane ^ number % meet.size,
        "up": lane - step if lane % 4 >= step else lane,
        "down": lane + step if lane % 4 + step < 4 else lane,
    }
    said = {"ballot": sum(1 << other for other in odd), "any": 7 * bool(odd), "all": 7 * (len(odd) == len(group))}
    kind, _, how = f"{meet.operation}.".split(".")[:3]
    if kind == "shfl":
        return group[source[how]]
    if kind == "vote":
        return own + said[how]
    if kind == "match":
        return own + sum(1 << other for other, value in group.items() if value & 3 == own & 3)
    if kind == "elect":
        return own + min(group) + 7 * (lane == min(group))
    if how == "max":
        return max(group.values(), key=lambda value: value ^ 1 << 31)  # as signed numbers
    return own if kind == "bar" else sum(group.values())
