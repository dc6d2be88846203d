"""Launches that a GPU refuses, and the errors after one, in a student's terms."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from grader.explain.elements import in_line
from grader.explain.finding import Asked, fault_of
from grader.model import Fault, Verdict, launches
from grader.model.expressions import NoValueError
from grader.model.findings import NotResident
from grader.model.launches import OfOneKernel, OfSeveral
from grader.model.watched import DriverError, DriverFailed
from grader.ptxsim.records.fields import Axes

MOST_ALONG_Z = 64  # threads of a block (CUDA C++ Programming Guide, table of technical specifications)
FAULTS = {
    DriverError.OUT_OF_RESOURCES: (
        Verdict.LAUNCH_FAILED,
        "The GPU does not have enough registers or shared memory for this launch.",
        "Use fewer threads per block, smaller tiles, or __launch_bounds__.",
    ),
    DriverError.INVALID: (
        Verdict.LAUNCH_FAILED,
        "The GPU refused the launch.",
        "Check the block, the tile and the shared memory of LAUNCH.",
    ),
    DriverError.CLUSTERS: (
        Verdict.LAUNCH_FAILED,
        "The GPU refused the launch: the grid is not a whole number of the kernel's clusters.",
        "Let the blocks along each axis be a multiple of __cluster_dims__ at every size.",
    ),
    DriverError.ILLEGAL_ACCESS: (
        Verdict.OUT_OF_BOUNDS,
        "The kernel read or wrote outside of its matrices.",
        "Compare every index with N before using it, above all in the last block of each row and column.",
    ),
    DriverError.MISALIGNED: (
        Verdict.CRASHED,
        "The kernel read or wrote a vector at an address that is not a multiple of its size.",
        "A float4 needs an address that is a multiple of 16 bytes; with an odd N, most rows start at other addresses.",
    ),
    DriverError.ASSERT: (Verdict.CRASHED, "An assert in the kernel failed.", "The printed text names the line."),
    DriverError.FAILED: (
        Verdict.CRASHED,
        "The kernel stopped: a trap, or an access outside of shared memory.",
        "Look for __trap(), for pointers that are null or never set, and for indices into shared arrays.",
    ),
    DriverError.ILLEGAL_INSTRUCTION: (
        Verdict.CRASHED,
        "The kernel stopped at an instruction that is not allowed, such as a trap.",
        "Look for __trap(), for pointers that are null or never set, and for code that should never be reached.",
    ),
    DriverError.OTHER: (Verdict.CRASHED, "The kernel crashed.", "The details contain the driver's message."),
}


@fault_of.register
def _of_one_kernel(found: OfOneKernel, _: Asked) -> Fault:
    """Return the fault of a launch that a GPU refuses."""
    line = 0
    match found:
        case launches.BlockTooLarge(block):
            along_z = " and 64 along z" if block[2] > MOST_ALONG_Z else ""
            sentence = f"A block of {_block(block)} cannot be launched; a GPU allows 1024{along_z}."
            hint = "Use a smaller block, and let a thread compute more elements."
        case launches.SharedTooLarge(static, dynamic, most):
            parts = f"{static} in arrays of a fixed size, {dynamic} dynamic"
            sentence = f"A block needs {static + dynamic} bytes of shared memory ({parts}); a GPU allows {most}."
            hint = "Use smaller tiles, or fewer of them at a time."
        case launches.GridTooLarge(grid):
            sentence = f"A grid of {_product(grid)} blocks cannot be launched."
            hint = "Let each block compute a larger tile."
        case launches.BlockDiffers(only, block):
            compiled = f"The kernel is compiled for blocks of {_product(only)} threads only (__block_size__)"
            sentence = _promised(compiled, block)
            hint = "Launch that block, or remove __block_size__."
        case launches.MoreThreads(most, block):
            compiled = f"The kernel is compiled for at most {most} threads per block (__launch_bounds__)"
            sentence = _promised(compiled, block)
            hint = f"Use a smaller block, or __launch_bounds__({prod(block)})."
        case launches.MoreRegisters(registers, fitting, threads):
            limit = f"A thread uses {registers} registers, which limits a block to {fitting} threads"
            sentence = f"{limit}; LAUNCH has {threads}."
            hint = "Use fewer threads, or add __launch_bounds__(threads) so that the compiler saves registers."
        case NotResident(blocks, at_a_time, line):
            waiting = f"The grid has {blocks} blocks, which wait for each other{in_line(line)}"
            sentence = f"{waiting}; a GPU runs {at_a_time} of them at a time."
            hint = "grid.sync() needs all blocks on the GPU at the same time: use fewer blocks that do more work each."
    return _refused(sentence, hint, line)


@fault_of.register
def _of_several(found: OfSeveral, asked: Asked) -> Fault:
    kernels, fault = asked.interface.kernels, fault_of(found.why, asked)
    name, _ = kernels[min(found.number, len(kernels) - 1)]
    return replace(fault, sentence=f"{name} is not launched: {fault.sentence}")


def no_value(error: NoValueError) -> Fault:
    """Return the fault of a LAUNCH with which the lab cannot compute a parameter."""
    return _refused(f"With its LAUNCH, the lab has no value for {error}.", "Launch the kernel as the lab does.")


def no_own_launch(name: str) -> Fault:
    """Return the fault of a file whose host code does not show the launch that the lab wants."""
    sentence = f"The file has no launch of {name} that can be read and has blocks at every size of the lab."
    hint = f"Write {name}<<<grid, block>>>(…) with numbers, constants and the sizes, or add a LAUNCH line."
    return _refused(sentence, hint)


def _refused(sentence: str, hint: str, line: int = 0) -> Fault:
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint, line or None)


def _promised(sentence: str, block: Axes) -> str:
    return f"{sentence}, but it is launched with {_block(block)}, which a GPU refuses."


def _block(block: Axes) -> str:
    return f"{_product(block)} = {prod(block)} threads"


def _product(extents: Axes) -> str:
    return " x ".join(str(side) for side in extents)


@fault_of.register
def driver_fault(found: DriverFailed, _: Asked) -> Fault:
    """Return the fault that an error after a launch means."""
    verdict, sentence, hint = FAULTS[found.error]
    return Fault(verdict, sentence, hint, detail=found.message)
