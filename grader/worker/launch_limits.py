"""The limits of a launch on every GPU, and those that the kernel sets itself, checked before a driver refuses it."""

from __future__ import annotations

from grader.model import Demands, Fault, Launch, Verdict

# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED = 227 << 10
# KiB of a block on the architectures that have less. Those before Volta cannot be asked for more than 48.
SHARED_KIB = {"sm_60": 48, "sm_61": 48, "sm_70": 96, "sm_75": 64, "sm_80": 163, "sm_86": 99, "sm_89": 99, "sm_120": 99}
REGISTERS = 1 << 16  # of a block; each warp gets a multiple of 256, and they are allocated for 4 warps at a time


def launch_fault(
    launch: Launch, grid: tuple[int, int, int], demands: Demands | None, most_shared: int = MAX_SHARED
) -> Fault | None:
    """Return the fault of a launch that no GPU allows, or none whose blocks have that much shared memory."""
    demands = demands or Demands()
    if launch.threads > MAX_THREADS or any(a > b for a, b in zip(launch.block, MAX_BLOCK, strict=True)):
        sentence = f"A block of {_block(launch)} cannot be launched; a GPU allows 1024 (64 along z)."
        return _refused(sentence, "Use a smaller block, and let a thread compute more elements.")
    if demands.static_shared + launch.shared > most_shared:
        both = f"{demands.static_shared + launch.shared} bytes of shared memory"
        parts = f"{demands.static_shared} in arrays of a fixed size, {launch.shared} dynamic"
        sentence = f"A block needs {both} ({parts}); a GPU allows {most_shared}."
        return _refused(sentence, "Use smaller tiles, or fewer of them at a time.")
    if any(not 0 < a <= b for a, b in zip(grid, MAX_GRID, strict=True)):
        sentence = f"A grid of {_product(grid)} blocks cannot be launched."
        return _refused(sentence, "Let each block compute a larger tile.")
    return _broken_promise(launch, demands)


def _broken_promise(launch: Launch, demands: Demands) -> Fault | None:
    """Return the fault of a launch with another block than the kernel was compiled for."""
    if demands.block and launch.block != demands.block:
        sentence = f"The kernel is compiled for blocks of {_product(demands.block)} threads only (__block_size__)"
        hint = "Launch that block, or remove __block_size__."
    elif 0 < demands.most_threads < launch.threads:
        sentence = f"The kernel is compiled for at most {demands.most_threads} threads per block (__launch_bounds__)"
        hint = f"Use a smaller block, or __launch_bounds__({launch.threads})."
    else:
        return None
    return _refused(f"{sentence}, but it is launched with {_block(launch)}, which a GPU refuses.", hint)


def _block(launch: Launch) -> str:
    return f"{_product(launch.block)} = {launch.threads} threads"


def _product(extents: tuple[int, ...]) -> str:
    return " x ".join(str(side) for side in extents)


def _refused(sentence: str, hint: str) -> Fault:
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint)


def threads_that_fit(registers: int) -> int:
    """Return the most threads of a block on a GPU if each uses that many registers."""
    of_a_warp = -(-registers * 32 // 256) * 256
    return REGISTERS // max(1, of_a_warp) // 4 * 4 * 32


def register_fault(launch: Launch, registers: int, fitting: int) -> Fault | None:
    """Return the fault of a launch with more threads than the device fits with that many registers each."""
    if launch.threads <= fitting:
        return None
    sentence = f"A thread uses {registers} registers, which limits a block to {fitting} threads"
    hint = "Use fewer threads, or add __launch_bounds__(threads) so that the compiler saves registers."
    return _refused(f"{sentence}; LAUNCH has {launch.threads}.", hint)


def most_shared(architecture: str) -> int:
    """Return the most bytes of shared memory that a block may have on GPUs of an architecture."""
    return SHARED_KIB.get(architecture, MAX_SHARED >> 10) << 10


def not_resident(blocks: int, at_a_time: int, line: int = 0) -> Fault:
    """Return the fault of a grid whose blocks wait for each other, in that line, if it is known."""
    place = f" in line {line}" if line else ""
    sentence = (
        f"The grid has {blocks} blocks, which wait for each other{place}; a GPU runs {at_a_time} of them at a time."
    )
    hint = "grid.sync() needs all blocks on the GPU at the same time: use fewer blocks that do more work each."
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint, line or None)
