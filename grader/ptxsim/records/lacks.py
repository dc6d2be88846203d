"""What the simulator lacks, as fixed words."""

from __future__ import annotations

from enum import StrEnum


class Lack(StrEnum):
    """What the simulator lacks."""

    INSTRUCTION = "instruction"
    NO_INSTRUCTION = "no-instruction"  # what it concerns is not known
    OPERAND = "operand"
    OPERANDS = "operands"
    SIZE = "size"
    ADDRESS = "address"
    ADDRESS_OF_PARAMETER = "address-of-parameter"
    BARRIER_OF_LANES = "barrier-of-lanes"
    SPECIAL_REGISTER = "special-register"
    REGISTER_OF_VALUES = "register-of-values"
    DIRECTIVE = "directive"
    NO_DIRECTIVE = "no-directive"
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
    CHARACTER = "character-in-line"
    MISSING = "missing-in-line"
    END = "end"
    BRACE = "brace"
    BITS = "bits"
    PART = "part"  # of the PTX, which no assembler would make
