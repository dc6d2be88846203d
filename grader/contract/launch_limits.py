"""The limits of a launch, of every GPU and of the kernel itself, and how many blocks fit on one multiprocessor. Pure.

The allocation rules are those of the CUDA Occupancy Calculator for compute capability 7.0 and newer: registers are
allotted to a warp in units of 256, warps in groups of 4, shared memory in units of 128 bytes (256 before 8.0).
"""

from dataclasses import dataclass

from grader.model import Demands, Launch, launches

WARP = 32
REGISTER_UNIT = 256
WARP_GROUP = 4
# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED = 227 << 10
STATIC_SHARED = 48 << 10  # bytes of a block for which no launch has to ask: CUDA C++ Programming Guide, 20.8.3
# KiB of a block on the architectures that have less. Those before Volta cannot be asked for more than 48.
SHARED_KIB = {"sm_60": 48, "sm_61": 48, "sm_70": 96, "sm_75": 64, "sm_80": 163, "sm_86": 99, "sm_89": 99, "sm_120": 99}
REGISTERS = 1 << 16  # of a block


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


def refusal(
    launch: Launch, grid: tuple[int, int, int], demands: Demands | None, most_shared: int = MAX_SHARED
) -> launches.Refusal | None:
    """Return why no GPU makes a launch, or none whose blocks have that much shared memory."""
    demands = demands or Demands()
    if launch.threads > MAX_THREADS or any(a > b for a, b in zip(launch.block, MAX_BLOCK, strict=True)):
        return launches.BlockTooLarge(launch.block)
    if demands.static_shared + launch.shared > most_shared:
        return launches.SharedTooLarge(demands.static_shared, launch.shared, most_shared)
    if any(not 0 < a <= b for a, b in zip(grid, MAX_GRID, strict=True)):
        return launches.GridTooLarge(grid)
    if demands.block and launch.block != demands.block:
        return launches.BlockDiffers(demands.block, launch.block)
    if 0 < demands.most_threads < launch.threads:
        return launches.MoreThreads(demands.most_threads, launch.block)
    return None


def threads_that_fit(registers: int) -> int:
    """Return the most threads of a block on a GPU if each uses that many registers."""
    of_a_warp = -(-registers * WARP // REGISTER_UNIT) * REGISTER_UNIT
    return REGISTERS // max(1, of_a_warp) // WARP_GROUP * WARP_GROUP * WARP


def refusal_of_registers(launch: Launch, registers: int, fitting: int) -> launches.MoreRegisters | None:
    """Return why the device refuses more threads than it fits with that many registers each."""
    return launches.MoreRegisters(registers, fitting, launch.threads) if launch.threads > fitting else None


def most_shared(architecture: str) -> int:
    """Return the most bytes of shared memory that a block may have on GPUs of an architecture, sm_90a like sm_90."""
    return SHARED_KIB.get(architecture.rstrip("af"), MAX_SHARED >> 10) << 10
