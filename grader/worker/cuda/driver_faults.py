"""What the CUDA driver says of a failed launch, in a student's words."""

from __future__ import annotations

from grader.model import Fault, Verdict

# The driver's texts: CUDA driver API, enum CUresult. The first that is found in the message counts.
FAULTS = {
    "out of resources": (
        Verdict.LAUNCH_FAILED,
        "The GPU has not enough registers or shared memory for this launch.",
        "Use fewer threads per block, smaller tiles, or __launch_bounds__.",
    ),
    "invalid": (
        Verdict.LAUNCH_FAILED,
        "The GPU refused the launch.",
        "Look at LAUNCH: block, tile and shared memory.",
    ),
    "illegal memory access": (
        Verdict.OUT_OF_BOUNDS,
        "The kernel read or wrote outside of all memory that it was given.",
        "Compare every index with N before it is used; watch the last block of each row and column.",
    ),
    "misaligned address": (
        Verdict.CRASHED,
        "The kernel read or wrote a vector at an address that is not a multiple of its size.",
        "A float4 needs an address that is a multiple of 16 bytes: with an odd N most rows begin elsewhere.",
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
        "Look for __trap() and for code that can never be reached.",
    ),
}
UNKNOWN = (Verdict.CRASHED, "The kernel crashed.", "The driver's words are in the details.")


def explain(error: str) -> Fault:
    """The fault that a driver's message after a launch stands for."""
    verdict, sentence, hint = next((fault for text, fault in FAULTS.items() if text in error), UNKNOWN)
    return Fault(verdict, sentence, hint, detail=error)
