"""What the simulator lacks, in fixed words that a student reads, and the errors of PTX that cannot be simulated.

They are not the student's fault as such: nvcc has accepted the file.
"""

from __future__ import annotations

import struct
from enum import StrEnum


class Lack(StrEnum):
    """What the simulator lacks."""

    INSTRUCTION = "instruction"
    NO_INSTRUCTION = "unknown-instruction"
    OPERAND = "operand"
    OPERANDS = "operands"
    SIZE = "size"
    ADDRESS = "address"
    ADDRESS_OF_PARAMETER = "address-of-parameter"
    BARRIER_OF_LANES = "barrier-of-lanes"
    SPECIAL_REGISTER = "special-register"
    REGISTER_OF_VALUES = "register-of-values"
    DIRECTIVE = "directive"
    NO_DIRECTIVE = "unknown-directive"
    CALL = "call"
    CALL_OF = "call-of"
    CALL_WITHOUT_BODY = "call-without-body"
    MANY_CALLS = "many-calls"
    RECURSIVE_ACCESS = "recursive-access"
    RECURSIVE_REGISTERS = "recursive-registers"
    LABEL = "label"
    CLUSTERS = "clusters"
    DIVERGENCE = "divergence"
    CODE = "code"
    REGISTERS = "registers"
    REGISTERS_AND_LOCAL = "registers-and-local-bytes"
    LOCAL = "local-bytes"
    SHARED = "shared-bytes"
    VARIABLES = "bytes-of-variables"
    ARGUMENT = "bytes-of-argument"
    VARIABLE = "bytes-of-variable"
    TYPE_OF_VARIABLE = "type-of-variable"
    PART_OF_ADDRESS = "part-of-address"
    PROGRAM = "bytes-of-program"
    PART = "part"  # of the PTX, which no assembler would make


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
