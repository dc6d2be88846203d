"""The memory of a replayed launch. Every region has an address window of its own, so that nothing lies beside it.

Calls copy arguments and results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Function, Operand, Symbol, Variable, Vector
from grader.worker.replay.origins import NEVER_SET
from grader.worker.replay.program import FlatProgram, GivesUpError
from grader.worker.replay.threads import Who

WINDOW_BITS = 32
UNSET_BYTE = 0xFF  # four of them are no number
MOST_BYTES = 1 << 28  # of one region, for all threads together
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Kind: TypeAlias = "np.dtype[np.generic]"
Parameters: TypeAlias = "Callable[[Function, str], MemoryRegion | None]"
"""The memory of a parameter, a result or an argument of a function."""
Pairs: TypeAlias = "list[tuple[MemoryRegion, MemoryRegion]]"


@dataclass(slots=True)
class MemoryRegion:
    """Bytes that a thread can address: `size` for each row; `rows` has the row of every thread, None for one of all.

    `origins` are the nodes of `origins.py` for each `granule` of bytes.
    """

    name: str
    data: Bytes
    size: int
    rows: Numbers | None
    base: int
    granule: int
    kind: Kind | None = None  # of the elements of a matrix
    traced: bool = False  # whether a store and a load are steps of a value's way
    origins: Numbers = field(init=False)
    _views: dict[str, NDArray[np.generic]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.origins = np.zeros(len(self.data) // self.granule + 1, np.int64)

    def view(self, kind: np.dtype[np.generic]) -> NDArray[np.generic]:
        """Return the bytes as elements of a type."""
        if kind.str not in self._views:
            self._views[kind.str] = self.data[: len(self.data) // kind.itemsize * kind.itemsize].view(kind)
        return self._views[kind.str]

    def of_thread(self, thread: int) -> bytes:
        """Return the bytes that a thread can address."""
        start = int(self.rows[thread]) * self.size if self.rows is not None else 0
        return self.data[start : start + self.size].tobytes()

    def places(self, offsets: Numbers, who: Numbers) -> Numbers:
        """Return where the offsets of these threads are in the data."""
        return offsets if self.rows is None else offsets + self.rows[who] * self.size


class LaunchMemory:
    """All regions, the addresses of symbols, and the regions of the spaces shared and local."""

    def __init__(self, threads: int, blocks: Numbers, granule: int) -> None:
        self.threads, self.blocks, self.granule = threads, blocks, granule
        self.regions: list[MemoryRegion] = []
        self.symbols: dict[str, int] = {}  # addresses in the symbol's own space
        self.bases = {"": 0, "global": 0, "const": 0, "param": 0, "shared": 0, "local": 0}

    def add(
        self, name: str, size: int, rows: Numbers | None = None, count: int = 1, content: Bytes | None = None
    ) -> MemoryRegion:
        """Add a region of `count` rows. The size of a row is rounded up for the alignment of its elements."""
        size = max(16, -(-size // 16) * 16)
        if size * count > MOST_BYTES:
            raise GivesUpError("too much memory")
        data = np.zeros(size * count, np.uint8)
        if content is not None:
            data[: len(content)] = content
        region = MemoryRegion(name, data, size, rows, (len(self.regions) + 1) << WINDOW_BITS, self.granule)
        self.regions.append(region)
        return region

    def region(self, address: int) -> MemoryRegion | None:
        """Return the region in whose window an address is."""
        number = (address >> WINDOW_BITS) - 1
        return self.regions[number] if 0 <= number < len(self.regions) else None

    def named(self, name: str) -> MemoryRegion:
        """Return the region of a matrix."""
        return next(each for each in self.regions if each.name == name)

    def place_variables(self, code: FlatProgram, dynamic_shared: int) -> None:
        """Lay out the variables of the module and of its functions."""
        every = [*code.module.variables, *(each for function in code.module.functions for each in function.variables)]
        for variable in every:
            if variable.space in {"global", "const"}:
                content = np.frombuffer(variable.initial.ljust(variable.size, b"\0"), np.uint8)
                self.symbols[variable.name] = self.add(variable.name, variable.size, content=content).base
        own = np.arange(self.threads)
        self._place("local", (each for each in every if each.space == "local"), own, self.threads, 0)
        blocks = int(self.blocks.max()) + 1
        shared = (each for each in every if each.space == "shared")
        self._place("shared", shared, self.blocks, blocks, dynamic_shared).traced = True

    def begin(self, function: Function, who: Who) -> None:
        """Forget what some threads have in the local variables of a function, which begin anew with each call."""
        region = self.region(self.bases["local"])
        for each in function.variables if region else ():
            if region and each.space == "local":
                start = self.symbols[each.name]
                region.data.reshape(self.threads, -1)[who, start : start + each.size] = UNSET_BYTE
                first, last = start // self.granule, (start + each.size) // self.granule
                region.origins[:-1].reshape(self.threads, -1)[who, first:last] = NEVER_SET

    def _place(
        self, space: str, variables: Iterable[Variable], rows: Numbers, count: int, dynamic: int
    ) -> MemoryRegion:
        size = 0
        for variable in sorted(variables, key=lambda each: each.dynamic):
            size = -(-size // max(1, variable.alignment)) * max(1, variable.alignment)
            self.symbols[variable.name] = size
            size += variable.size
        region = self.add(space, size + dynamic, rows, count)
        region.data[:] = UNSET_BYTE
        region.origins[:] = NEVER_SET if space == "local" else 0
        self.bases[space] = region.base
        return region


@dataclass(frozen=True, slots=True)
class Call:
    """A function, and the regions to copy from and to: at the call, and at the return."""

    callee: Function
    arguments: Pairs
    results: Pairs


def call_of(code: FlatProgram, parameters: Parameters, number: int) -> Call:
    """Return what an instruction calls. Raises GivesUpError for a pointer to a function."""
    instruction = code.instructions[number]
    names = [each.name for each in instruction.operands if isinstance(each, Symbol)]
    lists = [each.items for each in instruction.operands if isinstance(each, Vector)]
    if len(names) != 1:
        raise GivesUpError("a call of a pointer")
    caller, callee = code.owners[number], code.function(names[0])
    has_result = isinstance(instruction.operands[0], Vector)
    results, (given, *_) = (lists[0], [*lists[1:], ()]) if has_result else ((), [*lists, ()])
    arguments = _pairs(parameters, caller, given, callee, tuple(each.name for each in callee.parameters))
    returned = _pairs(parameters, caller, results, callee, tuple(each.name for each in callee.results))
    return Call(callee, arguments, [(source, target) for target, source in returned])


def _pairs(
    parameters: Parameters, caller: Function, given: tuple[Operand, ...], callee: Function, names: tuple[str, ...]
) -> Pairs:
    pairs = []
    for operand, name in zip(given, names, strict=False):
        own = parameters(caller, operand.name) if isinstance(operand, Symbol) else None
        other = parameters(callee, name)
        if own is None or other is None or own.size != other.size:
            raise GivesUpError("an argument of a call")
        pairs.append((own, other))
    return pairs


def copied(source: MemoryRegion, target: MemoryRegion, who: Who) -> None:
    """Copy a parameter, with what its values come from."""
    rows = len(source.data) // source.size
    for one, other in ((source.data, target.data), (source.origins[:-1], target.origins[:-1])):
        other.reshape(rows, -1)[who] = one.reshape(rows, -1)[who]
