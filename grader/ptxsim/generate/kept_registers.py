"""Which registers of a kernel that is compiled as a whole stay in the warp's record, where a frame has them all.

What a warp needs after a barrier is saved before it and restored behind it. Where that is more than the processor's
registers hold, LLVM restores it to the stack, so each value is copied several times at each barrier. Instructions
then read and write the record instead.
"""

from __future__ import annotations

from grader.ptxsim.analysis.liveness import live_behind
from grader.ptxsim.generate.barriers import is_barrier
from grader.ptxsim.generate.code import Code

MOST_VECTORS = 8  # that are restored: the 32 registers of AVX-512 hold 16 vectors of 32 floats, the 16 of AVX2 hold 4


def keep_registers(code: Code) -> None:
    """Give the vectors that are live at barriers a place in the warp's record, if they are many."""
    names = _vectors_at_barriers(code)
    if len(names) > MOST_VECTORS:
        code.keep(names)


def _vectors_at_barriers(code: Code) -> list[str]:
    """Return what has a value for each lane. A register that is read before it is written needs a value at first."""
    facts = code.kernel.facts
    needed = 0
    for number, block in enumerate(facts.graph.blocks):
        for place, instruction in enumerate(block.instructions):
            if is_barrier(instruction):
                needed |= live_behind(block, place, facts.live.live_out[number], facts.live.numbers)
    fresh = code.kernel.read_first
    return [name for name in facts.live.names(needed) if name not in fresh and code.stored_type(name).startswith("<")]
