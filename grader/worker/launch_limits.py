"""The limits of a launch on every GPU, for backends without a driver that checks them."""

from __future__ import annotations

from grader.model import Fault, Launch, Verdict

# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED = 227 << 10
REGISTERS = 1 << 16  # of a block; each warp gets a multiple of 256, and they are allocated for 4 warps at a time


def launch_fault(launch: Launch, grid: tuple[int, int, int]) -> Fault | None:
    """Return the fault of a launch that no GPU allows."""
    extent = " x ".join(str(side) for side in launch.block)
    if launch.threads > MAX_THREADS or any(a > b for a, b in zip(launch.block, MAX_BLOCK, strict=True)):
        sentence = f"A block of {extent} = {launch.threads} threads cannot be launched; a GPU allows 1024 (64 along z)."
        return Fault(Verdict.LAUNCH_FAILED, sentence, "Use a smaller block, and let a thread compute more elements.")
    if launch.shared > MAX_SHARED:
        sentence = f"{launch.shared} bytes of dynamic shared memory cannot be launched; a GPU allows {MAX_SHARED}."
        return Fault(Verdict.LAUNCH_FAILED, sentence, "Use a smaller tile.")
    if any(not 0 < a <= b for a, b in zip(grid, MAX_GRID, strict=True)):
        sentence = f"A grid of {' x '.join(str(side) for side in grid)} blocks cannot be launched."
        return Fault(Verdict.LAUNCH_FAILED, sentence, "Let each block compute a larger tile.")
    return None


def register_fault(launch: Launch, registers: int) -> Fault | None:
    """Return the fault of a launch whose threads use so many registers that a block does not fit on a GPU."""
    of_a_warp = -(-registers * 32 // 256) * 256
    fitting = REGISTERS // max(1, of_a_warp) // 4 * 4 * 32
    if launch.threads <= fitting:
        return None
    sentence = f"A thread uses {registers} registers, which limits a block to {fitting} threads"
    hint = "Use fewer threads, or add __launch_bounds__(threads) so that the compiler saves registers."
    return Fault(Verdict.LAUNCH_FAILED, f"{sentence}; LAUNCH has {launch.threads}.", hint)


def not_resident(blocks: int, at_a_time: int, line: int = 0) -> Fault:
    """Return the fault of a grid whose blocks wait for each other, in that line, if it is known."""
    place = f" in line {line}" if line else ""
    sentence = (
        f"The grid has {blocks} blocks, which wait for each other{place}; a GPU runs {at_a_time} of them at a time."
    )
    hint = "grid.sync() needs all blocks on the GPU at the same time: use fewer blocks that do more work each."
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint, line or None)
