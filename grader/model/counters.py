"""What a kernel does in one launch: counted from some of its blocks on the simulator, and from its PTX."""

from dataclasses import dataclass
from typing import Annotated

from grader.model.fields import ADDED_LATER, Count, Positive
from grader.model.matrices import Shape
from grader.ptxsim.records.fields import AccessKind, Space


@dataclass(frozen=True, slots=True)
class AccessCount:
    """The accesses of one line of the source to one space of memory, with one width, in a whole launch."""

    line: Count
    """Line of the source; 0 where the compiler names none."""
    space: Space
    """The memory: global, shared, or local, where a thread has arrays of its own; spills are not among the accesses."""
    kind: AccessKind
    """What the instruction does; a copy is asynchronous, from global to shared memory."""
    width: Positive
    """Bytes that each thread accesses in one instruction."""
    requests: Count
    """Instructions of warps."""
    sectors: Count
    """Sectors of 32 bytes that the requests touch in global memory; 0 for shared memory."""
    wavefronts: Count
    """For shared memory, cycles in which the 32 banks serve the requests. For global and local memory, lines of 128
    bytes that the requests touch."""
    lanes: float
    """Threads of a warp that take part in a request, on average."""
    stride: Count
    """Bytes between the addresses of neighbouring threads, the median; 0 where they read the same address."""
    repeated: float
    """Share of the requests in which every thread accesses the same address as in its request before."""
    of_fragment: Annotated[bool, ADDED_LATER] = False
    """Whether warps access fragments for the tensor cores. They are counted as the requests that the assembler makes:
    eight rows of a fragment in each, or of shared memory up to four matrices of 8 x 8 numbers of 16 bits."""


@dataclass(frozen=True, slots=True)
class LoopMix:
    """The instructions of one iteration of the innermost loop with the most arithmetic, in PTX."""

    line: Count
    """Line of the loop's arithmetic."""
    instructions: Count
    """All instructions of a thread."""
    multiply_adds: Count
    """Multiply-adds, and multiplications and additions that are not fused."""
    global_loads: Count
    """Loads from global memory."""
    shared_loads: Count
    """Loads from shared memory."""
    stores: Count
    """Stores to global and shared memory."""
    integer: Count
    """Integer instructions, most of which compute addresses."""
    divisions: Count
    """Integer divisions and remainders by a number that the compiler does not know."""
    double: Count
    """Instructions in double precision."""
    branches: Count
    """Branches, the one of the loop itself included."""
    barriers: Count
    """Barriers of the block."""
    comparisons: Annotated[Count, ADDED_LATER] = 0
    """Comparisons, the one of the loop itself included."""
    division_line: Annotated[Count, ADDED_LATER] = 0
    """Line of the divisions; 0 without one."""
    double_line: Annotated[Count, ADDED_LATER] = 0
    """Line of the instructions in double precision; 0 without one."""
    barrier_line: Annotated[Count, ADDED_LATER] = 0
    """Line of the barriers; 0 without one."""
    integer_multiply_adds: Annotated[Count, ADDED_LATER] = 0
    """Of the integer instructions, multiply-adds: those of integer matrices, and of addresses."""
    half_conversions: Annotated[Count, ADDED_LATER] = 0
    """Conversions between numbers of 16 bits and float32."""
    tensor: Annotated[Count, ADDED_LATER] = 0
    """Instructions of tensor cores."""
    double_conversions: Annotated[Count, ADDED_LATER] = 0
    """Of the instructions in double precision, conversions from or to it."""


@dataclass(frozen=True, slots=True)
class Counters:
    """A launch at one size, extrapolated from some of its blocks. The instructions are those of PTX.

    Loads from shared memory are merged as the assembler does: three or four neighbouring ones within 16 bytes count as
    one, as do two within 8 bytes.
    """

    shape: Shape
    """The size."""
    blocks: Count
    """Blocks of the launch."""
    accesses: tuple[AccessCount, ...]
    """The accesses by line, space, kind and width."""
    instructions: Count
    """Instructions of warps; an estimate for blocks of code without accesses."""
    multiply_adds: Count
    """Multiply-adds of warps."""
    branches: Count
    """Branches of warps."""
    double: Count
    """Instructions of warps in double precision."""
    divisions: Count
    """Integer divisions and remainders of warps."""
    global_waits: Count
    """Times that a warp waits for loads from global memory that it has started together; for each warp."""
    shared_waits: Count
    """The same for shared memory."""
    barriers: Count
    """Barriers that each warp reaches."""
    footprint: Count
    """Sectors of global memory that the blocks read, each once for each block."""
    loop: LoopMix | None
    """The innermost loop with the most arithmetic; null for a kernel without loops."""
    registers: Count
    """Registers of a thread; 0 where unknown."""
    spilled: Count
    """Bytes that a thread spills to local memory and loads from there, as instructions of the program."""
    shared_bytes: Count
    """Bytes of shared memory of a block."""
    integer: Annotated[Count, ADDED_LATER] = 0
    """Integer instructions of warps, without divisions; an estimate for blocks of code without accesses."""
    conversions: Annotated[Count, ADDED_LATER] = 0
    """Of the instructions in double precision, conversions from or to it."""
    prefetched: Annotated[float, ADDED_LATER] = 0.0
    """Share of the loads from global memory after which a warp reads shared memory before it stores there: what they
    load is for a later step."""
    working: Annotated[Count, ADDED_LATER] = 0
    """Blocks that compute, where a kernel chooses its algorithm by the size and the other blocks return at once; 0 for
    all blocks."""
    integer_multiply_adds: Annotated[Count, ADDED_LATER] = 0
    """Of the integer instructions, multiply-adds: those of integer matrices, and of addresses."""
    halves: Annotated[Count, ADDED_LATER] = 0
    """Of the multiply-adds, those of numbers of 16 bits, alone or in pairs."""
    pairs: Annotated[Count, ADDED_LATER] = 0
    """Of the multiply-adds, those of two numbers of 16 bits at a time."""
    half_conversions: Annotated[Count, ADDED_LATER] = 0
    """Conversions of warps between numbers of 16 bits and float32."""
    tensor: Annotated[Count, ADDED_LATER] = 0
    """Instructions of tensor cores."""
    tensor_products: Annotated[Count, ADDED_LATER] = 0
    """Multiply-adds in these instructions, 32 of elements as one: M x N x K / 32 for each."""
    products: Annotated[Count, ADDED_LATER] = 0
    """Products of elements in single or half precision, 32 of them as one: multiply-adds and multiplications, and those
    of tensor cores."""


@dataclass(frozen=True, slots=True)
class ProfiledCount:
    """One counter, by both."""

    name: str
    """What is counted, in words."""
    profiled: float
    """The value of Nsight Compute, which is that of the machine code on the device."""
    counted: Count | None
    """The grader's value, at the level of PTX; null where it counted nothing or another size."""


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """How busy a resource of the device is during the launch."""

    resource: str
    """The resource, in the words of the advice."""
    percent: float
    """Per cent of its peak rate."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One launch under Nsight Compute, outside the timing."""

    shape: Shape
    """The size."""
    problem: str = ""
    """Why nothing was measured, and what to do about it; empty if it was."""
    tool: str = ""
    """Nsight Compute with its version."""
    microseconds: float | None = None
    """The time of the launch; null if nothing was measured."""
    compute: float | None = None
    """Per cent of the peak of the busiest unit that computes ("Compute (SM) Throughput")."""
    memory: float | None = None
    """Per cent of the peak of the busiest part of the memory system ("Memory Throughput")."""
    counts: tuple[ProfiledCount, ...] = ()
    """The counters of the launch."""
    uses: tuple[ResourceUse, ...] = ()
    """How busy each resource is, the busiest first, which limits the kernel."""
