"""Which array of a thread an instruction uses: the one at whose start its address begins, in the thread's memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from grader.ptxsim.syntax.records import Address, Integer, Operand, Register
from grader.worker.replay.debug_info import ARRAY, DebugInfo
from grader.worker.replay.program import FlatProgram
from grader.worker.replay.threads import StackArray
from grader.worker.replay.variables import bytes_of

DEPOT = "__local_depot"  # in the names of symbols: the memory of a thread
STACK = "SP"  # the register with its address
MOST_USES = 2048  # which take 0.2 s
MOST_STEPS = 8  # from an address to its start


def arrays_used(code: FlatProgram, info: DebugInfo) -> dict[int, StackArray]:
    """Return the array that each load and store of an element uses, as far as its address tells."""
    starts = islice(_starts(code), MOST_USES)
    return {number: array for number, start in starts for array in _arrays(info, number) if array.start == start}


def _arrays(info: DebugInfo, number: int) -> Iterator[StackArray]:
    for each in info.in_scope(number):
        inner = info.type_of(each.type) if each.type.tag == ARRAY and DEPOT in each.place.symbol else None
        if inner is not None:
            sizes = bytes_of(info, each.type), bytes_of(info, inner)
            yield StackArray(each.name, each.place.symbol, each.place.offset, *sizes)


def _starts(code: FlatProgram) -> Iterator[tuple[int, int]]:
    """Yield each instruction whose address is the start of something in the stack, plus an index."""
    sources: dict[tuple[str, str], tuple[Operand, ...]] = {}
    for instruction, owner in zip(code.instructions, code.owners, strict=True):
        match instruction.operands:
            case (Register(name), *others):
                is_again = (owner.name, name) in sources  # so that it may be either
                sources[owner.name, name] = tuple(others) if instruction.opcode == "add" and not is_again else ()
    for number, (instruction, owner) in enumerate(zip(code.instructions, code.owners, strict=True)):
        for each in instruction.operands if instruction.opcode in {"ld", "st"} else ():
            if isinstance(each, Address) and (start := _start(owner.name, each.base, sources)) is not None:
                yield number, start


def _start(function: str, base: object, sources: Mapping[tuple[str, str], tuple[Operand, ...]]) -> int | None:
    for _ in range(MOST_STEPS):
        match sources.get((function, base.name)) if isinstance(base, Register) else None:
            case (Register(name), Integer(value)) if name.lstrip("%") == STACK:
                return value
            case (base, _):
                continue
        return None
    return None
