"""Rounding towards zero or to one side, and sums without a second rounding.

S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd",
2008: a sum that is rounded to odd first is rounded correctly by any second, shorter rounding.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.worker.simulator.generate.emitter import BITS, Emitter
from grader.worker.simulator.generate.operations import Make
from grader.worker.simulator.generate.values import LaneType
from grader.worker.simulator.syntax.records import Instruction

_DIRECTED = frozenset({"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"})
SHORT = {"double": "float", "float": "half"}


def odd_sum(emitter: Emitter, kind: LaneType, first: str, second: str) -> str:
    """Return a sum, rounded to odd: where it is not exact, the last bit is one."""
    total = emitter.pure(f"fadd {kind} {first}, {second}")
    back = emitter.pure(f"fsub {kind} {total}, {first}")
    rest = emitter.pure(f"fsub {kind} {total}, {back}")
    error = emitter.pure(
        f"fadd {kind} {emitter.pure(f'fsub {kind} {first}, {rest}')}, {emitter.pure(f'fsub {kind} {second}, {back}')}"
    )
    whole = kind.of(f"i{BITS[kind.element]}")
    pattern = emitter.pure(f"bitcast {kind} {total} to {whole}")
    lost = emitter.pure(f"fcmp one {kind} {error}, {kind.number('0.0')}")
    even = emitter.pure(
        f"icmp eq {whole} {emitter.pure(f'and {whole} {pattern}, {whole.number(1)}')}, {whole.number(0)}"
    )
    wrong = emitter.pure(f"and {kind.of('i1')} {lost}, {even}")
    of_error = emitter.pure(f"bitcast {kind} {error} to {whole}")
    signs = emitter.pure(f"xor {whole} {pattern}, {of_error}")
    apart = emitter.pure(f"icmp slt {whole} {signs}, {whole.number(0)}")
    step = emitter.pure(f"select {kind.of('i1')} {apart}, {whole} {whole.number(-1)}, {whole} {whole.number(1)}")
    moved = emitter.pure(f"add {whole} {pattern}, {step}")
    bits = emitter.pure(f"select {kind.of('i1')} {wrong}, {whole} {moved}, {whole} {pattern}")
    return emitter.pure(f"bitcast {whole} {bits} to {kind}")


def corrected(emitter: Emitter, kind: LaneType, exact: str, nearest: str, rounding: str) -> str:
    """Return the shorter number that a rounding to one side gives, from the one that rounding to nearest gave."""
    short = kind.of(SHORT[kind.element])
    whole = short.of(f"i{BITS[short.element]}")
    truth = kind.of("i1")
    back = emitter.pure(f"fpext {short} {nearest} to {kind}")
    pattern = emitter.pure(f"bitcast {short} {nearest} to {whole}")
    negative = emitter.pure(f"icmp slt {whole} {pattern}, {whole.number(0)}")
    above = emitter.pure(f"fcmp ogt {kind} {back}, {exact}")
    below = emitter.pure(f"fcmp olt {kind} {back}, {exact}")
    larger = emitter.pure(f"select {truth} {negative}, {truth} {below}, {truth} {above}")
    smaller = emitter.pure(f"select {truth} {negative}, {truth} {above}, {truth} {below}")
    none = "zeroinitializer" if kind.is_vector else "false"
    inwards = {"rz": larger, "rm": emitter.pure(f"select {truth} {negative}, {truth} {none}, {truth} {above}")}.get(
        rounding,
        emitter.pure(f"select {truth} {negative}, {truth} {none if rounding == 'rm' else below}, {truth} {none}"),
    )
    outwards = {
        "rz": none,
        "rm": emitter.pure(f"select {truth} {negative}, {truth} {above}, {truth} {none}"),
        "rp": emitter.pure(f"select {truth} {negative}, {truth} {none}, {truth} {below}"),
    }[rounding]
    if rounding == "rp":
        inwards = emitter.pure(f"select {truth} {negative}, {truth} {below}, {truth} {none}")
    del smaller
    down = emitter.pure(f"sext {truth} {inwards} to {whole}")
    up = emitter.pure(f"zext {truth} {outwards} to {whole}")
    moved = emitter.pure(f"add {whole} {emitter.pure(f'add {whole} {pattern}, {down}')}, {up}")
    return emitter.pure(f"bitcast {whole} {moved} to {short}")


def one(kind: LaneType) -> str:
    """Return the number 1."""
    return kind.number("1.0")


def directed(instruction: Instruction, element: str) -> Make | None:
    """Return the maker of an operation in 32 bits that is rounded to one side.

    A quotient or root that is no float differs from every float by more than a double's rounding moves it.
    """
    rounding = next(name for name in ("rz", "rm", "rp") if name in instruction.modifiers)
    if element != "float" or instruction.opcode not in _DIRECTED:
        return None

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide = kind.of("double")
        parts = [emitter.pure(f"fpext {kind} {name} to {wide}") for name in names]
        if instruction.opcode == "sub":
            parts[1] = emitter.pure(f"fneg {wide} {parts[1]}")
        if instruction.opcode in {"mul", "fma", "mad"}:
            exact = emitter.pure(f"fmul {wide} {parts[0]}, {parts[1]}")
            parts = [exact, *parts[2:]]
        if instruction.opcode in {"div", "rcp"}:
            parts = [emitter.pure(f"fdiv {wide} {', '.join(parts if len(parts) == 2 else (one(wide), *parts))}")]
        if instruction.opcode == "sqrt":
            parts = [emitter.call(str(wide), f"llvm.sqrt.{wide.suffix}", [(str(wide), parts[0])])]
        exact = odd_sum(emitter, wide, *parts) if len(parts) == 2 else parts[0]
        nearest = emitter.pure(f"fptrunc {wide} {exact} to {kind}")
        return corrected(emitter, wide, exact, nearest, rounding)

    return make
