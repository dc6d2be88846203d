"""A kernel on its way to the device: how it is called and launched, what it uses, what it was compiled to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from grader.model.expressions import whole
from grader.model.fields import ADDED_LATER, Count, ElementType, Positive
from grader.model.matrices import FurtherMatrix, Shape
from grader.ptxsim.records.fields import LocalArray, check_number

MOST_ARRAYS = 1000  # of a program


@dataclass(frozen=True, slots=True)
class Launch:
    """How a kernel is launched."""

    block: tuple[Positive, Positive, Positive]
    """Threads per block along x, y and z."""
    tile: tuple[Positive, Positive]
    """Columns and rows of C that one block computes."""
    shared: Count = 0
    """Bytes of dynamic shared memory."""
    grid_x: Literal["columns", "rows"] = "columns"
    """Whether blockIdx.x runs along the columns or the rows of C."""
    grid_by: Annotated[tuple[str, ...], ADDED_LATER] = ()
    """Blocks along x, y and z, by expressions over the sizes; empty if they follow from `tile`."""
    block_by: Annotated[tuple[str, ...], ADDED_LATER] = ()
    """Threads along x, y and z, by expressions over the sizes; empty if they are the same for all sizes."""
    shared_by: Annotated[str, ADDED_LATER] = ""
    """Bytes of dynamic shared memory, by an expression; empty if they are the same for all sizes."""
    of_file: Annotated[bool, ADDED_LATER] = False
    """Whether it is, or without a LAUNCH line has to be, the launch of the file's own host code."""

    @property
    def has_tiles(self) -> bool:
        """Whether it is known which block computes which part of C."""
        return not self.grid_by

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def threads_along(self) -> tuple[str, ...]:
        """Threads along x, y and z as a rubric has them, without a 1 at the end."""
        x, y, z = map(str, self.block)
        return self.block_by or ((x, y, z) if z != "1" else (x, y) if y != "1" else (x,))

    def names(self, shape: Shape) -> dict[str, int]:
        """Return what expressions about a launch may use."""
        (x, y, z), (columns, rows) = self.block, self.tile
        return {**shape.lengths, "block_x": x, "block_y": y, "block_z": z, "tile_x": columns, "tile_y": rows}

    def at(self, shape: Shape) -> Launch:
        """Return the launch of a size, in numbers. Raises ExpressionError if an expression has no value there."""
        block = [whole(text, shape.lengths) for text in self.block_by]
        x, y, z = (*block, 1, 1)[:3] if block else self.block
        sized = replace(self, block=(x, y, z), block_by=())
        names = sized.names(shape)
        shared = whole(self.shared_by, names) if self.shared_by else self.shared
        grid = tuple(str(whole(text, names)) for text in self.grid_by)
        return replace(sized, shared=shared, shared_by="", grid_by=grid)

    def grid(self, shape: Shape) -> tuple[int, int, int]:
        if self.grid_by:
            x, y, z = (*(whole(text, self.names(shape)) for text in self.grid_by), 1, 1)[:3]
            return (x, y, z)
        along_columns = -(-shape.N // self.tile[0])
        along_rows = -(-shape.M // self.tile[1])
        return (along_columns, along_rows, 1) if self.grid_x == "columns" else (along_rows, along_columns, 1)


def values(parameters: Sequence[str]) -> list[str]:
    """Return what each parameter gets, without the names of those that have a value."""
    return [text.partition("=")[2].strip() or text for text in parameters]


@dataclass(frozen=True, slots=True)
class KernelBefore:
    """A kernel that is launched before the one which completes C."""

    name: str
    """Name of the kernel."""
    parameters: tuple[str, ...]
    """Its parameters in the order of the call."""
    launch: Launch
    """How it is launched."""


@dataclass(frozen=True, slots=True)
class Interface:
    """How a kernel is called."""

    name: str
    """Name of the kernel."""
    parameters: tuple[str, ...]
    """Its parameters in the order of the call: a name that labs share, or a name and its value, `side = tile_x`."""
    type_a: ElementType = "float32"
    """Type of the elements of A."""
    type_b: ElementType = "float32"
    """Type of the elements of B."""
    type_c: ElementType = "float32"
    """Type of the elements of C."""
    layout: Literal["row", "column"] = "row"
    """Whether rows or columns are contiguous."""
    transpose_a: bool = False
    """Whether A is stored transposed."""
    transpose_b: bool = False
    """Whether B is stored transposed."""
    padding: Count = 0
    """Elements between the end of one row (or column) and the start of the next."""
    alpha: float = 1.0
    """Factor of A*B."""
    beta: float = 0.0
    """Factor of the C that was there before."""
    math: Annotated[str, ADDED_LATER] = "full"
    """What the kernel may round the elements of A and B to before it multiplies them: full, tf32 or bf16."""
    template: Annotated[str, ADDED_LATER] = ""
    """Template arguments of the kernel, which the grader instantiates with them; empty for a kernel without any."""
    start: Annotated[Literal["unset", "zero"], ADDED_LATER] = "unset"
    """What C holds before a launch if beta is zero: nothing that a kernel may use, or zeros."""
    symbols: Annotated[tuple[str, ...], ADDED_LATER] = ()
    """Variables of the file that are set before each launch, each as its name and its value: `size = N`."""
    constants: Annotated[tuple[str, ...], ADDED_LATER] = ()
    """Macros and constants of the file that have another value when it is compiled: `SIZE = 128`."""
    accuracy: Annotated[float, ADDED_LATER] = 8.0
    """Largest error on real inputs, as a multiple of that of a plain sum in the type of C."""
    matrices: Annotated[tuple[FurtherMatrix, ...], ADDED_LATER] = ()
    """Memory besides A, B and C that kernels are given."""
    before: Annotated[tuple[KernelBefore, ...], ADDED_LATER] = ()
    """Kernels of the file that are launched before this one, in this order, as parts of each launch."""

    @property
    def types(self) -> dict[str, str]:
        """The types of the elements, by the names of the matrices."""
        return {"A": self.type_a, "B": self.type_b, "C": self.type_c}

    @property
    def kernels(self) -> list[tuple[str, tuple[str, ...]]]:
        """The names and the parameters of all kernels of a launch, in their order."""
        return [*((kernel.name, kernel.parameters) for kernel in self.before), (self.name, self.parameters)]

    @property
    def is_alone(self) -> bool:
        """Whether what the kernel computes follows from A, B and C alone."""
        return not (self.before or self.matrices)


@dataclass(frozen=True, slots=True)
class KernelCall:
    """How a kernel is called and launched."""

    interface: Interface
    launch: Launch


@dataclass(frozen=True, slots=True)
class Resources:
    """What one thread and one block of the compiled kernel use on the device."""

    registers: Count
    """Registers per thread."""
    static_shared: Count
    """Bytes of static shared memory per block."""
    dynamic_shared: Count
    """Bytes of dynamic shared memory per block."""
    local: Count
    """Bytes of local memory per thread; above zero, registers were spilled or an array is in local memory."""
    blocks_per_sm: Count
    """Blocks that fit on a multiprocessor at a time."""
    occupancy: float
    """Share of a multiprocessor's threads that these blocks fill, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a kernel demands of every launch, as its compiled image states it."""

    static_shared: Count = 0
    """Bytes of static shared memory per block."""
    most_threads: Count = 0
    """Most threads of a block, by __launch_bounds__; 0 for any number."""
    block: tuple[Count, Count, Count] | None = None
    """The only block, by __block_size__; null for any block."""


@dataclass(frozen=True, slots=True)
class PtxFacts:
    """What the compiler says of a kernel that its PTX does not; empty or 0 where it says nothing."""

    registers: Count = 0
    """Registers per thread."""
    spilled: Count = 0
    """Bytes that a thread spills to local memory and loads again, as instructions of the program."""
    local_arrays: tuple[LocalArray, ...] = ()
    """The local arrays, which PTX merges into one for each function."""

    def __post_init__(self) -> None:
        check_number(self.local_arrays, MOST_ARRAYS)


@dataclass(frozen=True, slots=True)
class BuiltBefore:
    """What a build says of a kernel that is launched before the one which completes C."""

    symbol: str
    """Name of the kernel in the file."""
    parameters: tuple[str, ...]
    """Its parameters, each 'pointer', 'integer' or 'real'."""
    parameter_bytes: tuple[Count, ...]
    """Bytes of each parameter."""
    demands: Demands
    """What it demands of a launch."""
    registers: Count = 0
    """Registers per thread; 0 where unknown."""


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled submission."""

    artifact: str
    """File in the box that holds the compiled code."""
    symbol: str
    """Name of the kernel in that file."""
    parameters: tuple[str, ...]
    """Its parameters, each 'pointer', 'integer' or 'real'."""
    launch: Launch | None
    """The launch that the submission declares; null without one."""
    compiler: str
    """Compiler and version."""
    command: tuple[str, ...]
    """Command that compiled it."""
    log: str = ""
    """Output of the compiler; may be empty."""
    resources: Resources | None = None
    """What the kernel uses on the device; null where unknown."""
    parameter_bytes: Annotated[tuple[Count, ...], ADDED_LATER] = ()
    """Bytes of each parameter; empty where unknown."""
    demands: Annotated[Demands | None, ADDED_LATER] = None
    """What it demands of a launch; null where unknown."""
    ptx_facts: Annotated[PtxFacts | None, ADDED_LATER] = None
    """What the compiler says of it beside its PTX; null for a build that is not PTX."""
    before: Annotated[tuple[BuiltBefore, ...], ADDED_LATER] = ()
    """The kernels that are launched before it."""
