"""What went wrong in an operation of a whole warp, as those of tensor cores are, in a student's terms."""

from __future__ import annotations

from grader.model import Fault, Verdict
from grader.worker.simulator.fault_report import Facts, in_line, number, triple


def _partial(facts: Facts, line: int | None) -> Fault:
    sentence = (
        f"The operation on fragments{in_line(line)} needs all 32 threads of a warp, but a block has "
        f"{number(facts, 'threads')} threads, and its last warp is incomplete."
    )
    return Fault(Verdict.BARRIER, sentence, "Give LAUNCH a multiple of 32 threads per block.", line)


def _divided(facts: Facts, line: int | None) -> Fault:
    sentence = (
        f"The threads of one warp of block {triple(facts, 'block')} came to different operations on fragments, "
        f"in line {number(facts, 'line1')} and in line {line}."
    )
    hint = "All 32 threads of a warp must make the same call: let conditions depend on the warp, not on the thread."
    return Fault(Verdict.BARRIER, sentence, hint, line)


def _differs(facts: Facts, line: int | None) -> Fault:
    sentence = (
        f"Lanes 0 and {number(facts, 'lane')} of a warp of block {triple(facts, 'block')} name different tiles"
        f"{in_line(line)}."
    )
    hint = (
        "The pointer and the leading dimension must be the same in all 32 threads of a warp: compute them from "
        "the number of the warp, without threadIdx.x % 32."
    )
    return Fault(Verdict.CRASHED, sentence, hint, line)


def _misaligned(facts: Facts, line: int | None) -> Fault:
    sentence = (
        f"The tile{in_line(line)} starts at an address that is not a multiple of {number(facts, 'alignment')} bytes."
    )
    hint = "Let tiles start at multiples of 16 elements, and the rows between them have a multiple of 16 bytes."
    return Fault(Verdict.CRASHED, sentence, hint, line)


def _leading(facts: Facts, line: int | None) -> Fault:
    sentence = (
        f"The leading dimension of the tile{in_line(line)} is {number(facts, 'leading')}; for elements of this type "
        f"it must be a multiple of {number(facts, 'multiple')}."
    )
    hint = "For other sizes, copy the tile to shared memory first, with zeros beyond the edge, and load it from there."
    return Fault(Verdict.CRASHED, sentence, hint, line)


WARP_FAULTS = {
    "warp-partial": _partial,
    "warp-divided": _divided,
    "tile-differs": _differs,
    "tile-misaligned": _misaligned,
    "tile-leading": _leading,
}
