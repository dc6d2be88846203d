"""Arithmetic of 32-bit and 64-bit floating-point numbers (PTX ISA, "Floating-Point Instructions").

Rounding towards zero or to one side, and sums without a second rounding: S. Boldo and G. Melquiond, "Emulation of a
FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008: a sum that is rounded to odd first is
rounded correctly by any second, shorter rounding.
"""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, element_of
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.operations import Formula, Writer, compute, intrinsic, operand_values, result, simple
from grader.ptxsim.generate.values import Value, real
from grader.ptxsim.syntax.records import Instruction, types_of

_ONE = {"float": real(0x3F800000, 32), "double": real(0x3FF0000000000000, 64)}
PLAIN: dict[str, Formula] = {
    "add": simple("fadd"),
    "sub": simple("fsub"),
    "mul": simple("fmul"),
    "div": simple("fdiv"),
    "neg": simple("fneg"),
    "fma": intrinsic("fma"),
    "mad": intrinsic("fma"),
    "abs": intrinsic("fabs"),
    "sqrt": intrinsic("sqrt"),
    "min": intrinsic("minimumnum"),
    "max": intrinsic("maximumnum"),
    "copysign": lambda w, sign, size: w.call("copysign", size, sign),
    "ex2": intrinsic("exp2"),
    "lg2": intrinsic("log2"),
    "sin": intrinsic("sin"),
    "cos": intrinsic("cos"),
}

_FLUSH_DOUBLES = {"rcp", "rsqrt"}
_LEAST_NORMAL = {"float": real(0x00800000, 32), "double": real(0x0010000000000000, 64)}
_MODES = {"rz": 0, "rp": 2, "rm": 3}  # as llvm.set.rounding counts them
_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "fma": "fma", "mad": "fma", "div": "fdiv", "sqrt": "sqrt"}


def arithmetic(code: Code, instruction: Instruction) -> None:
    """Operations that the CPU or the mathematics library computes."""
    type_ = types_of(instruction)[-1]
    element = element_of(type_)
    values = [flushed(code, instruction, value) for value in operand_values(code, instruction, type_)]
    if _rounding_of(instruction) != "rn":
        formula = _directed(code, instruction)
    else:
        formula = extreme(instruction) or _COMPOSED.get(instruction.opcode) or PLAIN.get(instruction.opcode)
        if instruction.opcode == "div" and "approx" in instruction.modifiers:
            formula = _quotient_of_small
    if formula is None or len(values) > 3:
        raise code.unsupported()
    if instruction.opcode in {"ex2", "lg2", "sin", "cos", "tanh"} and element == "float":
        formula = in_double(formula)
    value = compute(code, element, values, formula)
    result(code, instruction, finished(code, instruction, element, value))


def extreme(instruction: Instruction) -> Formula | None:
    """Return the formula of min and max with .NaN, which keeps NaN."""
    return intrinsic(f"{instruction.opcode}imum") if "NaN" in instruction.modifiers else None


def _quotient_of_small(w: Writer, a: str, b: str) -> str:
    """A / b, and zero for finite a where the magnitude of b exceeds 2 ** 126 (PTX ISA, "div.approx")."""
    quotient = w.op("fdiv", a, b)
    product = w.op("fmul", a, w.call("copysign", 0.0, b))
    large = w.op("fcmp ogt", w.call("fabs", b), w.kind.number(real(0x7E800000, 32)))
    return w.choose(large, product, quotient)


def _reciprocal(w: Writer, name: str) -> str:
    return w.op("fdiv", w.kind.number(_ONE[w.kind.element]), name)


def tanh(w: Writer, name: str) -> str:
    """1 - 2 / (exp2(2 x log2 e) + 1); near zero, where that cancels, x."""
    power = w.call("exp2", w.op("fmul", name, w.kind.number("0x40071547652B82FE")))
    far = w.op("fsub", 1.0, w.op("fdiv", 2.0, w.op("fadd", power, 1.0)))
    near = w.op("fcmp olt", w.call("fabs", name), w.kind.number("0x3F20000000000000"))  # 2 ** -13
    return w.choose(near, name, far)


# Operations in several steps, each of which is rounded; the device rounds once less.
_COMPOSED: dict[str, Formula] = {
    "rcp": _reciprocal,
    "rsqrt": lambda w, name: _reciprocal(w, w.call("sqrt", name)),
    "tanh": tanh,
}


def in_double(formula: Formula) -> Formula:
    """Compute in double precision: more precise than the approximation that PTX allows."""

    def widened(w: Writer, *names: str) -> str:
        wide = w.of("double")
        parts = [w.cast("fpext", name, "double") for name in names]
        return wide.cast("fptrunc", formula(wide, *parts), w.kind.element)

    return widened


def finished(code: Code, instruction: Instruction, element: str, value: Value) -> Value:
    """Apply .sat, which clamps to 0 and 1, and .ftz, which makes subnormal results zero."""
    if "sat" in instruction.modifiers:
        value = compute(code, element, (value,), _saturated)
    return flushed(code, instruction, value)


def flushed(code: Code, instruction: Instruction, value: Value) -> Value:
    """Return a source or a result: with .ftz, subnormal floats are zero."""
    kinds = {"float", "double"} if instruction.opcode in _FLUSH_DOUBLES else {"float"}
    if "ftz" not in instruction.modifiers or value.element not in kinds:
        return value
    return compute(code, value.element, (value,), _without_subnormals)


def _saturated(w: Writer, name: str) -> str:
    return w.call("minimumnum", w.call("maximumnum", name, 0.0), w.kind.number(_ONE[w.kind.element]))


def _without_subnormals(w: Writer, name: str) -> str:
    small = w.op("fcmp olt", w.call("fabs", name), w.kind.number(_LEAST_NORMAL[w.kind.element]))
    return w.choose(small, w.call("copysign", 0.0, name), name)


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


def _rounding_of(instruction: Instruction) -> str:
    """Return how an instruction rounds: "rz", "rm" or "rp", or "rn" for to nearest."""
    return next((name for name in instruction.modifiers if name in _MODES), "rn")


def _directed(code: Code, instruction: Instruction) -> Formula | None:
    """Return the formula of an operation that is rounded to one side; None if there is none."""
    rounding = _rounding_of(instruction)
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
