"""cvt, mov, cvta, isspacep (PTX ISA, "Data Movement and Conversion Instructions")."""

from __future__ import annotations

from grader.ptxsim.generate.addresses import OF_SHARED, WINDOWS, space_of
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.floats import finished, flushed, odd_float
from grader.ptxsim.generate.halves import as_reals, narrow
from grader.ptxsim.generate.integers import widened
from grader.ptxsim.generate.layout import CONSTANTS, LOCAL, SEGMENT_BITS, SHARED
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Formula, Writer, compute, intrinsic, result, simple
from grader.ptxsim.generate.values import Value, as_element, integer
from grader.ptxsim.syntax.records import REALS, WIDTHS, Instruction, Register, Vector, is_signed, types_of

HALVES = frozenset({"f16", "bf16"})
TO_INTEGER = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def convert(code: Code, instruction: Instruction) -> None:
    """Convert between integers, f32 and f64, and to them from numbers of 16 bits."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    value = flushed(code, instruction, read(code, instruction.operands[1], source))
    if source in HALVES:
        value, source = as_reals(code, value, source), "f32"
    if source in REALS and to in REALS:
        result(code, instruction, _real_to_real(code, instruction, value, source, to))
    elif source in REALS:
        result(code, instruction, _extended(code, instruction, _real_to_integer(code, instruction, value, to), to))
    elif to in REALS:
        number = _integer_to_real(code, value, source, to)
        result(code, instruction, finished(code, instruction, element_of(to), number))
    else:
        _between_integers(code, instruction, value, source, to)


def _between_integers(code: Code, instruction: Instruction, value: Value, source: str, to: str) -> None:
    if WIDTHS[to] > WIDTHS[source]:
        value = widened(code, instruction.operands[1], value, element_of(to), signed=is_signed(source))
    else:
        value = (
            as_element(code.emitter, value, element_of(to))
            if value.vector or not any(value.offsets)
            else _narrowed(code, value, element_of(to))
        )
    result(code, instruction, _extended(code, instruction, value, to))


def _extended(code: Code, instruction: Instruction, value: Value, to: str) -> Value:
    """Return an integer with the width of its register, which may be larger: signed ones keep their sign."""
    target = instruction.operands[0]
    register = code.kernel.function.registers[target.name] if isinstance(target, Register) else to
    if WIDTHS[register] <= WIDTHS[to] or not is_signed(to):
        return value
    element = element_of(register)
    return compute(code, element_of(to), (value,), lambda w, name: w.cast("sext", name, element), to=element)


def _narrowed(code: Code, value: Value, element: str) -> Value:
    """Cut off the upper bits of first lanes; the offsets stay the same."""
    flat = as_element(code.emitter, Value(value.element, value.bases), element)
    return Value(element, flat.bases, value.offsets)


def _real_to_real(code: Code, instruction: Instruction, value: Value, source: str, to: str) -> Value:
    element = element_of(source)
    rounding = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
    if rounding:
        value = compute(code, element, (value,), intrinsic(TO_INTEGER[rounding]))
    if WIDTHS[to] < WIDTHS[source]:
        value = compute(code, element, (value,), lambda w, name: w.cast("fptrunc", name, "float"), to="float")
    elif WIDTHS[to] > WIDTHS[source]:
        value = compute(code, element, (value,), lambda w, name: w.cast("fpext", name, "double"), to="double")
    return finished(code, instruction, element_of(to), value)


def _real_to_integer(code: Code, instruction: Instruction, value: Value, to: str) -> Value:
    """Return a number rounded to an integer and clamped to the type's range.

    A NaN becomes zero, or 1 << (width - 1) where one of the types has 64 bits (PTX ISA, "cvt").
    """
    element = value.element
    is_wide = element == "double" or WIDTHS[to] == 64
    rounding = next((name for name in instruction.modifiers if name in TO_INTEGER), "rzi")
    target = element_of(to)

    def formula(w: Writer, name: str) -> str:
        there = w.of(target)
        called = f"llvm.fpto{'s' if is_signed(to) else 'u'}i.sat.{there.kind.suffix}.{w.kind.suffix}"
        number = w.emitter.call(str(there.kind), called, [(str(w.kind), w.call(TO_INTEGER[rounding], name))])
        if not is_wide:
            return number
        return there.choose(w.op("fcmp uno", name, name), -(1 << WIDTHS[to] - 1), number)

    return compute(code, element, (value,), formula, to=target)


def _integer_to_real(code: Code, value: Value, source: str, to: str) -> Value:
    """Return an integer as a number."""
    text, target = f"{'s' if is_signed(source) else 'u'}itofp", element_of(to)
    return compute(code, element_of(source), (value,), lambda w, name: w.cast(text, name, target), to=target)


def convert_short(code: Code, instruction: Instruction) -> None:
    """Translate cvt to numbers of 16 bits, and to tf32."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    values = [read(code, operand, source) for operand in instruction.operands[1:]]
    if to.removesuffix("x2") != "f16":  # a subnormal float rounds up or down to halves on an H100, with .ftz too
        values = [flushed(code, instruction, value) for value in values]
    if to == "tf32":
        result(code, instruction, compute(code, "float", values, _as_tf32, to="i32"))
    elif to.endswith("x2"):
        result(code, instruction, compute(code, "float", values, _short_pair(to), to="i32"))
    else:
        value = values[0] if source == "f32" else _as_float(code, instruction, values[0], source)
        result(code, instruction, compute(code, "float", (value,), _as_half(to), to="i16"))


def _as_tf32(w: Writer, name: str) -> str:
    """Return the bits of a float rounded to 11 digits, ties away from zero."""
    wide = w.of("i32")
    bits = wide.op("and", wide.op("add", w.cast("bitcast", name, "i32"), 0x1000), -0x2000)
    return wide.choose(w.op("fcmp uno", name, name), 0x7FFFFFFF, bits)


def _short_pair(to: str) -> Formula:
    """Two floats to a pair: the first one goes into the upper half."""
    narrowed = _as_half(to.removesuffix("x2"))

    def formula(w: Writer, *names: str) -> str:
        wide, short = w.of("i32"), w.of("i16")
        upper, lower = (short.cast("zext", narrowed(w, name), "i32") for name in names)
        return wide.op("or", wide.op("shl", upper, 16), lower)

    return formula


def _as_half(to: str) -> Formula:
    return lambda w, name: narrow(w, name, to)


def _as_float(code: Code, instruction: Instruction, value: Value, source: str) -> Value:
    """Return a number as a float; a double or an integer rounded to odd, so that nothing is rounded twice."""
    if source in HALVES:
        value = as_reals(code, value, source)
        whole = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
        return compute(code, "float", (value,), intrinsic(TO_INTEGER[whole])) if whole else value
    letter = "s" if is_signed(source) else "u"

    def formula(w: Writer, name: str) -> str:
        if source != "f64":
            name = _of_53_bits(w, name, letter) if WIDTHS[source] == 64 else name
            name = w.cast(f"{letter}itofp", name, "double")
        return odd_float(w.of("double"), name)

    return compute(code, element_of(source), (value,), formula, to="float")


def _of_53_bits(w: Writer, name: str, letter: str) -> str:
    """Return an integer of 64 bits, rounded to odd where a double has not enough bits for it."""
    large = w.op("icmp ugt", w.call("abs", name, more=("false",)) if letter == "s" else name, 1 << 53)
    inexact = w.op("icmp ne", w.op("and", name, 0x7FF), 0)
    odd = w.choose(inexact, 0x800, 0)
    return w.choose(large, w.op("or", w.op("and", name, -0x800), odd), name)


_SEGMENTS = {"const": CONSTANTS, **dict.fromkeys(OF_SHARED, SHARED), "local": LOCAL}


def move(code: Code, instruction: Instruction) -> None:
    """mov, and its forms that pack and unpack."""
    type_ = types_of(instruction)[-1]
    target, source = instruction.operands
    if isinstance(target, Vector):
        _unpack(code, target, read(code, source, type_), WIDTHS[type_])
    elif isinstance(source, Vector):
        result(code, instruction, _packed(code, source, type_))
    else:
        result(code, instruction, read(code, source, type_))


def cache_policy(code: Code, instruction: Instruction) -> None:
    """createpolicy: no cache is simulated, so that any number will do."""
    result(code, instruction, integer("i64", 0))


def _unpack(code: Code, target: Vector, value: Value, width: int) -> None:
    part = width // len(target.items)
    for place, item in enumerate(target.items):
        if not isinstance(item, Register):
            continue
        amount = integer(f"i{width}", place * part)
        shifted = compute(code, f"i{width}", (value, amount), simple("lshr")) if place else value
        code.write(item, as_element(code.emitter, shifted, f"i{part}"))


def _packed(code: Code, source: Vector, type_: str) -> Value:
    width = WIDTHS[type_]
    part = width // len(source.items)
    values = [read(code, item, f"b{part}") for item in source.items]

    def formula(w: Writer, *names: str) -> str:
        wide, word = w.of(f"i{width}"), ""
        for place, name in enumerate(names):
            extended = w.cast("zext", name, f"i{width}")
            moved = wide.op("shl", extended, place * part) if place else extended
            word = wide.op("or", word, moved) if word else moved
        return word

    return compute(code, f"i{part}", values, formula, to=element_of(f"b{width}"))


def convert_address(code: Code, instruction: Instruction) -> None:
    """cvta: generic addresses of shared and local memory lie in windows of their own."""
    type_ = types_of(instruction)[-1]
    value = read(code, instruction.operands[1], type_)
    if window := WINDOWS.get(space_of(instruction)):
        start = integer(element_of(type_), window)
        text = "sub" if "to" in instruction.modifiers else "add"
        value = compute(code, element_of(type_), (value, start), simple(text))
    result(code, instruction, value)


def is_in_space(code: Code, instruction: Instruction) -> None:
    """isspacep: an address is in global memory if it is in none of the other spaces."""
    space = instruction.modifiers[0]
    segments = {_SEGMENTS[space]} if space in _SEGMENTS else sorted(set(_SEGMENTS.values()))

    def formula(w: Writer, address: str) -> str:
        number, truths = w.op("lshr", address, SEGMENT_BITS), w.of("i1")
        truth = truths.kind.number(int(space == "global"))
        for segment in segments:
            truth = truths.op("xor", truth, w.op("icmp eq", number, segment))
        return truth

    address = read(code, instruction.operands[1], "u64")
    result(code, instruction, compute(code, "i64", (address,), formula, to="i1"))
