"""What instructions compute: PTX's names as functions of NumPy arrays (PTX ISA, "Instruction Set")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from grader.worker.replay.program import GivesUpError

Values: TypeAlias = Any  # arrays of any type, or one value for all threads
Kind: TypeAlias = "np.dtype[Values]"
TYPES: Mapping[str, Kind] = {
    "pred": np.dtype(np.bool_), "f16": np.dtype("f2"), "f32": np.dtype("f4"), "f64": np.dtype("f8"),
    **{f"{letter}{bits}": np.dtype(f"{'i' if letter == 's' else 'u'}{bits // 8}")
       for letter in "bus" for bits in (8, 16, 32, 64)},
}  # fmt: skip
WIDER = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}


def type_of(name: str) -> Kind:
    """Return NumPy's type for a type of PTX."""
    if name not in TYPES:
        raise GivesUpError(f"the type {name}")
    return TYPES[name]


def _divided(a: Values, b: Values) -> Values:
    """Truncate, as C does; a division by zero gives all bits."""
    if a.dtype.kind == "f":
        return a / b
    safe = np.where(b == 0, a.dtype.type(1), b)
    quotient = a // safe
    if a.dtype.kind == "i":
        quotient += (quotient < 0) & (quotient * safe != a)
    return np.where(b == 0, ~(a & 0), quotient)


def _remainder(a: Values, b: Values) -> Values:
    return np.where(b == 0, a, a - _divided(a, b) * b)


def _shifted_left(a: Values, b: Values) -> Values:
    bits = a.dtype.itemsize * 8
    if b.ndim == 0 and b < bits:
        return a << b.astype(a.dtype)
    return np.where(b < bits, a << np.minimum(b, bits - 1).astype(a.dtype), a & 0)


def _shifted_right(a: Values, b: Values) -> Values:
    bits = a.dtype.itemsize * 8
    if b.ndim == 0 and b < bits:
        return a >> b.astype(a.dtype)
    shifted = a >> np.minimum(b, bits - 1).astype(a.dtype)
    return shifted if a.dtype.kind == "i" else np.where(b < bits, shifted, a & 0)


def _fused(a: Values, b: Values, c: Values) -> Values:
    """The product is exact in float64, and so is what is rounded, for numbers of up to 53 bits together."""
    return (a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)).astype(a.dtype)


BINARY: Mapping[str, Callable[[Values, Values], Values]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": _divided, "rem": _remainder, "shl": _shifted_left, "shr": _shifted_right,
    "min": np.fmin, "max": np.fmax,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip
UNARY: Mapping[str, Callable[[Values], Values]] = {
    "neg": lambda a: -a, "abs": np.abs, "not": lambda a: ~a, "mov": lambda a: a, "sqrt": np.sqrt,
    "rcp": lambda a: 1 / a, "rsqrt": lambda a: 1 / np.sqrt(a),
    "ex2": np.exp2, "lg2": np.log2, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
}  # fmt: skip
FUSED = _fused
COMPARISONS: Mapping[str, Callable[[Values, Values], Values]] = {
    "eq": np.equal, "ne": lambda a, b: (a < b) | (a > b), "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
    "equ": lambda a, b: ~((a < b) | (a > b)), "neu": np.not_equal, "ltu": lambda a, b: ~(a >= b),
    "leu": lambda a, b: ~(a > b), "gtu": lambda a, b: ~(a <= b), "geu": lambda a, b: ~(a < b),
    "num": lambda a, b: ~(np.isnan(a) | np.isnan(b)), "nan": lambda a, b: np.isnan(a) | np.isnan(b),
}  # fmt: skip
LOGICAL: Mapping[str, Callable[[Values, Values], Values]] = {
    "and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor,
}  # fmt: skip
ROUNDINGS: Mapping[str, Callable[[Values], Values]] = {
    "rzi": np.trunc, "rni": np.rint, "rmi": np.floor, "rpi": np.ceil,
}  # fmt: skip


def converted(values: Values, kind: Kind, modifiers: tuple[str, ...]) -> Values:
    """Return values in another type (PTX ISA, "cvt")."""
    if values.dtype.kind == "f":
        for name in modifiers:
            values = ROUNDINGS[name](values) if name in ROUNDINGS else values
    if "sat" in modifiers and kind.kind == "f":
        values = np.clip(np.nan_to_num(values, nan=0.0), 0, 1)
    elif values.dtype.kind == "f" and kind.kind in "iu":
        limits = np.iinfo(kind)
        inside = np.nan_to_num(values.astype(np.float64), nan=0.0)
        low, high = inside <= float(limits.min), inside >= float(limits.max)
        whole = np.where(low | high, 0, inside).astype(kind)
        return np.where(low, limits.min, np.where(high, limits.max, whole)).astype(kind)
    elif "sat" in modifiers:
        raise GivesUpError("a conversion")
    return values.astype(kind)
