"""Calls of functions that the device provides: each is one instruction that PTX does not have."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.analysis.parameters import word
from grader.ptxsim.syntax.errors import UnsupportedError
from grader.ptxsim.syntax.records import Instruction, Sink

_KNOWN = frozenset({"cudaDeviceSynchronize", "cudaGetParameterBufferV2", "cudaLaunchDeviceV2"})


def system_call(call: Instruction, name: str, results: Sequence[str], given: Sequence[str]) -> Instruction:
    """Return the instruction that a call becomes, with the words of the variables of the call as operands.

    Raises:
        UnsupportedError: the simulator has no such function.

    """
    line, guard = call.line, call.guard
    if name == "vprintf" and len(given) == 2:
        target = word(results[0], 0, 32) if results else Sink()
        return Instruction("print", (), (target, word(given[0], 0, 64), word(given[1], 0, 64)), guard, line)
    if name == "__assertfail" and len(given) == 5:
        return Instruction("assert", (), (word(given[0], 0, 64),), guard, line)
    if name == "malloc" and len(given) == 1 and results:
        return Instruction("malloc", (), (word(results[0], 0, 64), word(given[0], 0, 64)), guard, line)
    if name == "free" and len(given) == 1:
        return Instruction("free", (), (word(given[0], 0, 64),), guard, line)
    raise UnsupportedError(f"a call of {name}" if name in _KNOWN else "a call of a function without a body", line)
