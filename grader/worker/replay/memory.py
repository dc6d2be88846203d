"""The memory of a replayed launch. Every region has an address window of its own, so that nothing lies beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Function, Variable
from grader.worker.replay.origins import NEVER_SET
from grader.worker.replay.program import FlatProgram, GivesUpError
from grader.worker.replay.threads import Who

WINDOW_BITS = 32
UNSET_BYTE = 0xFF  # four of them are no number
MOST_BYTES = 1 << 28  # of one region, for all threads together
Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Kind: TypeAlias = "np.dtype[np.generic]"


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
        self._variables: list[Variable] = []
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
        owned = (function.variables for function in code.module.functions)
        every = self._variables = [*code.module.variables, *chain(*owned)]
        for variable in every:
            if variable.space in {"global", "const"}:
                content = np.frombuffer(variable.initial.ljust(variable.size, b"\0"), np.uint8)
                self.symbols[variable.name] = self.add(variable.name, variable.size, content=content).base
        own = np.arange(self.threads)
        self._place("local", (each for each in every if each.space == "local"), own, self.threads, 0)
        blocks = int(self.blocks.max()) + 1
        shared = (each for each in every if each.space == "shared")
        self._place("shared", shared, self.blocks, blocks, dynamic_shared).traced = True

    def size_of(self, address: int) -> int:
        """Return how many bytes a shared array has that begins at an address."""
        base, region = self.bases["shared"], self.region(address)
        shared = (each for each in self._variables if each.space == "shared")
        sizes = [each.size for each in shared if self.symbols[each.name] + base == address]
        return max(sizes, default=0) or (region.base + region.size - address if region else 0)

    def symbol_at(self, space: str, offset: int) -> tuple[str, int]:
        """Return the variable of a space in which an offset is, or which begins last before it, and where it begins."""
        starts = {self.symbols[each.name]: each.name for each in self._variables if each.space == space}
        start = max((each for each in starts if each <= offset), default=None)
        return ("", 0) if start is None else (starts[start], start)

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
