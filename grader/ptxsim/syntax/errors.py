"""Errors of PTX that cannot be simulated. They are not the student's fault as such: nvcc has accepted the file."""

from __future__ import annotations

import struct

from grader.ptxsim.records.lacks import Lack


class PtxError(Exception):
    """What the simulator `lack`s, with a number, a name and an instruction that it is `of`, as far as there are any.

    The line is the student's, 0 where none is known.
    """

    def __init__(self, lack: Lack, line: int = 0, *, name: str = "", of: str = "", number: int = 0) -> None:
        parts = (lack.replace("-", " "), str(number or ""), name, of)
        super().__init__(" ".join(part for part in parts if part))
        self.lack, self.line = lack, line
        self.name, self.of, self.number = name, of, number


class MalformedError(PtxError):
    """The text is not PTX that an assembler accepts, or larger than any compiler generates."""


class UnsupportedError(PtxError):
    """An instruction, or a use of one, that the simulator does not support."""


# What a record that no assembler would make raises where it is read: too few operands, names of nothing, no numbers.
UNEXPECTED = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, StopIteration),
    *(TypeError, ValueError, struct.error),
)
