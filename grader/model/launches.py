"""Launches that no GPU, or not this one, can make, as facts. `explain/` puts them into words."""

from dataclasses import dataclass

from grader.model.findings import NotResident
from grader.ptxsim.records.fields import Axes, Count


@dataclass(frozen=True, slots=True)
class BlockTooLarge:
    """A block that no GPU allows."""

    block: Axes


@dataclass(frozen=True, slots=True)
class SharedTooLarge:
    """More shared memory in a block than the `most` bytes that it may have."""

    static: Count
    dynamic: Count
    most: Count


@dataclass(frozen=True, slots=True)
class GridTooLarge:
    """A grid that no GPU allows."""

    grid: Axes


@dataclass(frozen=True, slots=True)
class BlockDiffers:
    """Another block than the `only` one that the kernel is compiled for."""

    only: Axes
    block: Axes


@dataclass(frozen=True, slots=True)
class MoreThreads:
    """More threads in a block than the `most` that the kernel is compiled for."""

    most: Count
    block: Axes


@dataclass(frozen=True, slots=True)
class MoreRegisters:
    """Threads that together use more registers than a block may have: so many threads would fit."""

    registers: Count
    fitting: Count
    threads: Count


OfOneKernel = BlockTooLarge | SharedTooLarge | GridTooLarge | BlockDiffers | MoreThreads | MoreRegisters | NotResident


@dataclass(frozen=True, slots=True)
class OfSeveral:
    """Why one of several kernels is not launched: its number in the order of the launches, from 0."""

    number: Count
    why: OfOneKernel


Refusal = OfOneKernel | OfSeveral
