"""The limits of a launch on every GPU, and those that the kernel sets itself, checked before a driver refuses it."""

from __future__ import annotations

from grader.model import Demands, Launch
from grader.model.launches import (
    BlockDiffers,
    BlockTooLarge,
    GridTooLarge,
    MoreRegisters,
    MoreThreads,
    Refusal,
    SharedTooLarge,
)

# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED = 227 << 10
# KiB of a block on the architectures that have less. Those before Volta cannot be asked for more than 48.
SHARED_KIB = {"sm_60": 48, "sm_61": 48, "sm_70": 96, "sm_75": 64, "sm_80": 163, "sm_86": 99, "sm_89": 99, "sm_120": 99}
REGISTERS = 1 << 16  # of a block; each warp gets a multiple of 256, and they are allocated for 4 warps at a time


def refusal(
    launch: Launch, grid: tuple[int, int, int], demands: Demands | None, most_shared: int = MAX_SHARED
) -> Refusal | None:
    """Return why no GPU makes a launch, or none whose blocks have that much shared memory."""
    demands = demands or Demands()
    if launch.threads > MAX_THREADS or any(a > b for a, b in zip(launch.block, MAX_BLOCK, strict=True)):
        return BlockTooLarge(launch.block)
    if demands.static_shared + launch.shared > most_shared:
        return SharedTooLarge(demands.static_shared, launch.shared, most_shared)
    if any(not 0 < a <= b for a, b in zip(grid, MAX_GRID, strict=True)):
        return GridTooLarge(grid)
    if demands.block and launch.block != demands.block:
        return BlockDiffers(demands.block, launch.block)
    if 0 < demands.most_threads < launch.threads:
        return MoreThreads(demands.most_threads, launch.block)
    return None


def threads_that_fit(registers: int) -> int:
    """Return the most threads of a block on a GPU if each uses that many registers."""
    of_a_warp = -(-registers * 32 // 256) * 256
    return REGISTERS // max(1, of_a_warp) // 4 * 4 * 32


def refusal_of_registers(launch: Launch, registers: int, fitting: int) -> MoreRegisters | None:
    """Return why the device refuses more threads than it fits with that many registers each."""
    return MoreRegisters(registers, fitting, launch.threads) if launch.threads > fitting else None


def most_shared(architecture: str) -> int:
    """Return the most bytes of shared memory that a block may have on GPUs of an architecture, sm_90a like sm_90."""
    return SHARED_KIB.get(architecture.rstrip("af"), MAX_SHARED >> 10) << 10
