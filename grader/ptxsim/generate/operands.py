"""Reads the sources of instructions as values."""

from __future__ import annotations

import struct

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.specials import special
from grader.ptxsim.generate.values import Value, as_element, integer, negated, real, scalar
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Integer, Negated, Operand, Real, Register, Special, Symbol
from grader.ptxsim.syntax.types import WIDTHS


def read(code: Code, operand: Operand, type_: str) -> Value:
    """Return a source as a value of a PTX type."""
    element = element_of(type_)
    match operand:
        case Register(name):
            return as_element(code.emitter, code.register(name), element)
        case Integer(value):
            if element in {"float", "double"}:
                return scalar(element, real(value & ((1 << WIDTHS[type_]) - 1), WIDTHS[type_]))
            return integer(element, value)
        case Real(bits, width):
            return _real(bits, width, type_)
        case Negated(register):
            return negated(code.emitter, code.register(register.name))
        case Symbol(name, added) if name in code.symbols:
            return integer(element, code.symbols[name] + added)
        case Special(name):
            return as_element(code.emitter, special(code, name), element)
        case _:
            raise code.unsupported(Lack.OPERAND)


def _real(bits: int, width: int, type_: str) -> Value:
    if type_ == "f32" and width == 64:
        value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
        bits, width = int.from_bytes(struct.pack("<f", value), "little"), 32
    element = "float" if width == 32 else "double"
    if element_of(type_) == element:
        return scalar(element, real(bits, width))
    return integer(element_of(type_), bits)
