"""Rounding towards zero or to one side, and sums without a second rounding.

S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd",
2008: a sum that is rounded to odd first is rounded correctly by any second, shorter rounding.
"""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.operations import Formula, Writer
from grader.ptxsim.syntax.records import Instruction

_MODES = {"rz": 0, "rp": 2, "rm": 3}  # as llvm.set.rounding counts them
_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "fma": "fma", "mad": "fma", "div": "fdiv", "sqrt": "sqrt"}


def odd_sum(w: Writer, first: str, second: str) -> str:
    """Return a sum, rounded to odd: where it is not exact, the last bit is one."""
    total = w.op("fadd", first, second)
    back = w.op("fsub", total, first)
    rest = w.op("fsub", total, back)
    error = w.op("fadd", w.op("fsub", first, rest), w.op("fsub", second, back))
    element = f"i{BITS[w.kind.element]}"
    whole = w.of(element)
    pattern = w.cast("bitcast", total, element)
    lost = w.op("fcmp one", error, 0.0)
    even = whole.op("icmp eq", whole.op("and", pattern, 1), 0)
    wrong = w.of("i1").op("and", lost, even)
    signs = whole.op("xor", pattern, w.cast("bitcast", error, element))
    step = whole.choose(whole.op("icmp slt", signs, 0), -1, 1)
    bits = whole.choose(wrong, whole.op("add", pattern, step), pattern)
    return whole.cast("bitcast", bits, w.kind.element)


def odd_float(w: Writer, name: str) -> str:
    """Return a double as a float, rounded to odd."""
    single, whole = w.of("float"), w.of("i32")
    nearest = w.cast("fptrunc", name, "float")
    back = single.cast("fpext", nearest, "double")
    pattern = single.cast("bitcast", nearest, "i32")
    size, exact = w.call("fabs", back), w.call("fabs", name)
    above = w.of("i1").cast("sext", w.op("fcmp ogt", size, exact), "i32")
    inexact = w.of("i1").cast("zext", w.op("fcmp one", back, name), "i32")
    truncated = whole.op("add", pattern, above)
    return whole.cast("bitcast", whole.op("or", truncated, inexact), "float")


def rounding_of(instruction: Instruction) -> str:
    """Return how an instruction rounds: "rz", "rm" or "rp", or "rn" for to nearest."""
    return next((name for name in instruction.modifiers if name in _MODES), "rn")


def directed(code: Code, instruction: Instruction) -> Formula | None:
    """Return the formula of an operation that is rounded to one side; None if there is none."""
    rounding = rounding_of(instruction)
    if instruction.opcode == "rcp":
        divide = _in_mode(code, "fdiv", rounding)
        return lambda w, name: divide(w, w.kind.number("1.0"), name)
    operation = _OPERATIONS.get(instruction.opcode)
    return _in_mode(code, operation, rounding) if operation else None


def _in_mode(code: Code, operation: str, rounding: str) -> Formula:
    """Return the formula of an operation of LLVM that the processor carries out in another rounding mode.

    Only a function of its own may change the mode: LLVM takes for granted that all others round to nearest.
    """

    def formula(w: Writer, *names: str) -> str:
        kind, emitter = w.kind, w.emitter
        name = f"{operation}_{rounding}_{kind.suffix}"
        arguments = ", ".join(f"{kind} %s{number}" for number in range(len(names)))
        intrinsic = f"@llvm.experimental.constrained.{operation}.{kind.suffix}"
        emitter.declare("void", "llvm.set.rounding", ["i32"])
        emitter.declare(str(kind), intrinsic[1:], [str(kind)] * len(names) + ["metadata", "metadata"])
        code.globals.functions[name] = ir_text(
            "rounding", name=name, type=str(kind), mode=_MODES[rounding], intrinsic=intrinsic, arguments=arguments
        )
        values = ", ".join(f"{kind} {value}" for value in names)
        return emitter.pure(f"call {kind} @{name}({values})")

    return formula
