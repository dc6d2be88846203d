"""Which function translates an instruction: the tables of `generate/table_of_*.py` have the complete list."""

from __future__ import annotations

from functools import lru_cache

from grader.ptxsim.generate import (
    table_of_bits,
    table_of_matrices,
    table_of_memory,
    table_of_numbers,
    table_of_threads,
    table_of_values,
)
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.variants import InstructionVariant, Translate, variants
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import UNEXPECTED, MalformedError
from grader.ptxsim.syntax.records import Instruction

_TABLES = (
    table_of_numbers.TABLE,
    table_of_bits.TABLE,
    table_of_values.TABLE,
    table_of_memory.TABLE,
    table_of_threads.TABLE,
    table_of_matrices.TABLE,
)


def _by_opcode() -> dict[str, tuple[InstructionVariant, ...]]:
    found: dict[str, tuple[InstructionVariant, ...]] = {}
    for table in _TABLES:
        for variant in variants(table):
            found[variant.opcode] = (*found.get(variant.opcode, ()), variant)
    return found


VARIANTS = _by_opcode()


@lru_cache(maxsize=4096)
def _translator(opcode: str, modifiers: tuple[str, ...]) -> Translate | None:
    return next((variant.translate for variant in VARIANTS.get(opcode, ()) if variant.has(modifiers)), None)


def translator(code: Code, instruction: Instruction) -> Translate:
    """Return the function that translates an instruction with all of its modifiers.

    Raises:
        UnsupportedError: there is none.

    """
    code.instruction = instruction
    found = _translator(instruction.opcode, instruction.modifiers)
    if found is None:
        raise code.unsupported()
    return found


def translate(code: Code, instruction: Instruction) -> None:
    """Write the code of one instruction.

    Raises:
        UnsupportedError: the simulator does not support it.
        MalformedError: its operands are none that the simulator knows.

    """
    handler = translator(code, instruction)
    try:
        handler(code, instruction)
    except UNEXPECTED as error:
        raise MalformedError(Lack.OPERANDS, instruction.line, of=instruction.name) from error
