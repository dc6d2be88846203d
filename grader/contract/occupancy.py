"""How many blocks of a kernel fit on one multiprocessor at a time. Pure.

The allocation rules are those of the CUDA Occupancy Calculator for compute capability 7.0 and newer: registers are
allotted to a warp in units of 256, warps in groups of 4, shared memory in units of 128 bytes (256 before 8.0).
"""

from __future__ import annotations

from dataclasses import dataclass

WARP = 32
REGISTER_UNIT = 256
WARP_GROUP = 4


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """The limits of one multiprocessor. The driver takes `reserved_shared` bytes of each block's shared memory."""

    threads: int
    blocks: int
    registers: int
    shared: int
    reserved_shared: int
    shared_unit: int


def blocks_per_sm(limits: Multiprocessor, threads: int, registers: int, shared: int) -> int:
    """Blocks that fit at a time, for a kernel's threads per block, registers per thread and shared bytes per block."""
    warps = -(-threads // WARP)
    by_warps = limits.threads // WARP // warps
    fitting = [limits.blocks, by_warps]
    if registers:
        per_warp = -(-registers * WARP // REGISTER_UNIT) * REGISTER_UNIT
        resident = limits.registers // per_warp // WARP_GROUP * WARP_GROUP
        fitting.append(resident // warps)
    taken = -(-(shared + limits.reserved_shared) // limits.shared_unit) * limits.shared_unit
    if taken:
        fitting.append(limits.shared // taken)
    return min(fitting)


def occupancy(limits: Multiprocessor, threads: int, blocks: int) -> float:
    """Resident warps divided by the most that a multiprocessor holds."""
    return blocks * -(-threads // WARP) / (limits.threads // WARP)
