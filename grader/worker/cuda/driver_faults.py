"""What the CUDA driver's errors after a launch mean for a student."""

from __future__ import annotations

from grader.model import Fault, Verdict

# Parts of the driver's messages (CUDA driver API, enum CUresult); the first one found in a message counts.
FAULTS = {
    "out of resources": (
        Verdict.LAUNCH_FAILED,
        "The GPU does not have enough registers or shared memory for this launch.",
        "Use fewer threads per block, smaller tiles, or __launch_bounds__.",
    ),
    "invalid": (
        Verdict.LAUNCH_FAILED,
        "The GPU refused the launch.",
        "Check the block, the tile and the shared memory of LAUNCH.",
    ),
    "cluster misconfiguration": (
        Verdict.LAUNCH_FAILED,
        "The GPU refused the launch: the grid is not a whole number of the kernel's clusters.",
        "Let the blocks along each axis be a multiple of __cluster_dims__ at every size.",
    ),
    "illegal memory access": (
        Verdict.OUT_OF_BOUNDS,
        "The kernel read or wrote outside of its matrices.",
        "Compare every index with N before using it, above all in the last block of each row and column.",
    ),
    "misaligned address": (
        Verdict.CRASHED,
        "The kernel read or wrote a vector at an address that is not a multiple of its size.",
        "A float4 needs an address that is a multiple of 16 bytes; with an odd N, most rows start at other addresses.",
    ),
    "device-side assert": (
        Verdict.CRASHED,
        "An assert in the kernel failed.",
        "The printed text names the line.",
    ),
    "unspecified launch failure": (
        Verdict.CRASHED,
        "The kernel stopped: a trap, or an access outside of shared memory.",
        "Look for __trap(), and for indices into shared arrays.",
    ),
    "illegal instruction": (
        Verdict.CRASHED,
        "The kernel stopped at an instruction that is not allowed, such as a trap.",
        "Look for __trap() and for code that should never be reached.",
    ),
}
UNKNOWN = (Verdict.CRASHED, "The kernel crashed.", "The details contain the driver's message.")


def explain(error: str) -> Fault:
    """The fault that the driver's message after a launch means."""
    verdict, sentence, hint = next((fault for text, fault in FAULTS.items() if text in error), UNKNOWN)
    return Fault(verdict, sentence, hint, detail=error)
