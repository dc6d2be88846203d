"""What stopped a launch, as facts. `simulator/stopped.py` makes findings of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from grader.ptxsim.generate.layout import FaultKind

Dim3 = tuple[int, int, int]
# A scalar is a variable in shared memory and no array, a cluster the shared memory of another block, and the heap what
# a null pointer is for in a kernel with malloc.
FaultSpace: TypeAlias = Literal["buffer", "shared", "scalar", "cluster", "local", "variable", "heap", "none"]


@dataclass(frozen=True, slots=True)
class WaitingSite:
    """A place at which threads of a block wait: the number of threads, whether for a barrier, and its number."""

    line: int
    threads: int
    barrier: bool
    number: int = 0


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """A fault, and the thread in which it occurred.

    `line` is the student's, 0 where none is known, and `instruction` the PTX instruction's name. For an access: the
    simulated `address`, its `size` in bytes, and what it lies in or near: the `space`, the name of the `buffer`, array
    or variable there, if it is known, the `offset` in bytes from its start and its `extent`. `element` is the number
    of bytes of a component of the access, 0 where its type is unknown.
    `awaits_object` says that the line waits for an mbarrier, `awaits_value` that it is in a loop which only waits for a
    value in memory: at the address, if that is known; `awaits_grid`, that the loop is that of grid.sync(). `is_dynamic`
    says that the array has the size which LAUNCH gives.
    For a barrier: the `sites` at which threads wait, how many have returned, and how many the block has.
    """

    kind: FaultKind
    line: int
    instruction: str
    block: Dim3
    thread: Dim3
    address: int = 0
    size: int = 0
    write: bool = False
    space: FaultSpace = "none"
    buffer: str = ""
    offset: int = 0
    extent: int = 0
    element: int = 0
    sites: tuple[WaitingSite, ...] = ()
    returned: int = 0
    threads: int = 0
    text: str = ""
    awaits_object: bool = False
    awaits_value: bool = False
    awaits_grid: bool = False
    is_dynamic: bool = False
