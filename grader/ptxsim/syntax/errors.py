"""Errors of PTX that cannot be simulated. They are not the student's fault as such: nvcc has accepted the file."""

from __future__ import annotations

import struct


class PtxError(Exception):
    """`what` completes "The simulator does not support"; the line is the student's, 0 where none is known."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


class MalformedError(PtxError):
    """The text is not PTX that an assembler accepts, or larger than any compiler generates."""


class UnsupportedError(PtxError):
    """An instruction, or a use of one, that the simulator does not support. `what` names it."""


PART = "a part of the PTX that nvcc makes of this file"

# What a record that no assembler would make raises where it is read: too few operands, names of nothing, no numbers.
UNEXPECTED = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, StopIteration),
    *(TypeError, ValueError, struct.error),
)
