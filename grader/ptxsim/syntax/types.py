"""Types of PTX as they appear in modifiers and declarations (PTX ISA, "Fundamental Types")."""

from __future__ import annotations

from functools import lru_cache

from grader.ptxsim.syntax.records import Instruction

WIDTHS = {f"{kind}{bits}": bits for kind in "bsu" for bits in (8, 16, 32, 64)} | {
    "b1": 1,
    "b128": 128,
    "pred": 1,
    "f16": 16,
    "f16x2": 32,
    "bf16": 16,
    "bf16x2": 32,
    "tf32": 32,
    "f32": 32,
    "f64": 64,
    "u16x2": 32,
    "s16x2": 32,
    "e4m3x2": 16,
    "e5m2x2": 16,
}
REALS = frozenset({"f16", "f16x2", "bf16", "bf16x2", "tf32", "f32", "f64"})


def types_of(instruction: Instruction) -> tuple[str, ...]:
    """Return the types among the modifiers, in order."""
    return _types_among(instruction.modifiers)


@lru_cache(maxsize=4096)
def _types_among(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(modifier for modifier in modifiers if modifier in WIDTHS)


def is_integer(type_: str) -> bool:
    """Whether registers of the type take part in addresses: integers and untyped bits."""
    return type_[0] in "bsu" and type_[:2] != "bf"


def is_signed(type_: str) -> bool:
    """Whether a type is that of a signed integer."""
    return type_[0] == "s"
