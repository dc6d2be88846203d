"""What the CUDA driver's errors after a launch mean for a student."""

from __future__ import annotations

from grader.explain.finding import Asked, fault_of
from grader.model import Fault, Verdict
from grader.model.watched import DriverError, DriverFailed

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
    DriverError.ASSERT: (
        Verdict.CRASHED,
        "An assert in the kernel failed.",
        "The printed text names the line.",
    ),
    DriverError.FAILED: (
        Verdict.CRASHED,
        "The kernel stopped: a trap, or an access outside of shared memory.",
        "Look for __trap(), and for indices into shared arrays.",
    ),
    DriverError.ILLEGAL_INSTRUCTION: (
        Verdict.CRASHED,
        "The kernel stopped at an instruction that is not allowed, such as a trap.",
        "Look for __trap() and for code that should never be reached.",
    ),
    DriverError.OTHER: (Verdict.CRASHED, "The kernel crashed.", "The details contain the driver's message."),
}


@fault_of.register
def driver_fault(found: DriverFailed, _: Asked) -> Fault:
    """Return the fault that an error after a launch means."""
    verdict, sentence, hint = FAULTS[found.error]
    return Fault(verdict, sentence, hint, detail=found.message)
