"""Comparisons, moves and conversions (PTX ISA, "Comparison and Selection Instructions", "mov", "cvta", "cvt")."""

from __future__ import annotations

from grader.ptxsim.generate import bit_fields, comparisons, conversions, half_conversions, moves
from grader.ptxsim.generate.table_words import ANY_INTEGER, BITS, INTEGER, ROUNDING, TO_INTEGER
from grader.ptxsim.generate.variants import Translate

_SIGNED = "eq|ne|lt|le|gt|ge"
_UNSIGNED = f"{_SIGNED}|lo|ls|hi|hs"
_REAL = f"{_SIGNED}|equ|neu|ltu|leu|gtu|geu|num|nan"
_SPACES = "shared|shared::cta|shared::cluster|local|const|global"


def _compared(opcode: str, to: str) -> str:
    return f"""
        {opcode} eq|ne {to} {BITS}
        {opcode} {_SIGNED} {to} s16|s32|s64
        {opcode} {_UNSIGNED} {to} u16|u32|u64
        {opcode} {_REAL} [ftz] {to} f32
        {opcode} {_REAL} {to} f64"""


TABLE: dict[Translate, str] = {
    comparisons.set_predicate: _compared("setp", "[and|or|xor]")
    + f"""
        setp {_REAL} [ftz] [and|or|xor] f16|f16x2
        setp {_REAL} [and|or|xor] bf16|bf16x2
        """,
    comparisons.set_number: _compared("set", "u32|s32|f32|f16|bf16")
    + f"""
        set {_REAL} [ftz] f16|u16|s16|u32|s32 f16
        set {_REAL} bf16 f16
        set {_REAL} bf16|u16|s16|u32|s32 bf16
        set {_REAL} [ftz] f16x2|u32|s32 f16x2
        set {_REAL} bf16x2|u32|s32 bf16x2
        """,
    comparisons.select: f"selp {BITS}|{INTEGER}|f32|f64",
    bit_fields.choose_by_sign: f"""
        slct {BITS}|{INTEGER}|f32|f64 s32
        slct [ftz] {BITS}|{INTEGER}|f32|f64 f32
        """,
    moves.move: f"mov pred|{BITS}|b128|{INTEGER}|f32|f64",
    moves.convert_address: f"cvta [to] {_SPACES}|param u32|u64",
    moves.is_in_space: f"isspacep {_SPACES}",
    conversions.convert: f"""
        cvt [sat] {ANY_INTEGER} {ANY_INTEGER}
        cvt {ROUNDING} [ftz] [sat] f32 {ANY_INTEGER}
        cvt {ROUNDING} [sat] f64 {ANY_INTEGER}
        cvt {TO_INTEGER} [ftz] [sat] {ANY_INTEGER} f32
        cvt {TO_INTEGER} [sat] {ANY_INTEGER} f64
        cvt [ftz] [sat] f64 f32
        cvt {ROUNDING} [ftz] [sat] f32 f64
        cvt [{TO_INTEGER}] [ftz] [sat] f32 f32
        cvt [{TO_INTEGER}] [sat] f64 f64
        """,
    half_conversions.convert: f"""
        cvt {ROUNDING} [ftz] [sat] f16 f32
        cvt {ROUNDING} [sat] f16 f64
        cvt rn|rz [relu] [satfinite] f16|bf16|f16x2|bf16x2 f32
        cvt rn|rz [relu] [satfinite] tf32 f32
        cvt rna [satfinite] tf32 f32
        cvt {ROUNDING} [ftz] bf16 f32
        cvt {ROUNDING} bf16 f64
        cvt {ROUNDING} [sat] f16 {ANY_INTEGER}
        cvt {ROUNDING} bf16 {INTEGER}
        cvt {TO_INTEGER} [sat] {ANY_INTEGER} f16
        cvt {TO_INTEGER} {INTEGER} bf16
        cvt [ftz] [sat] f32 f16
        cvt [sat] f64 f16
        cvt [ftz] f32 bf16
        cvt f64 bf16
        cvt [{TO_INTEGER}] [sat] f16 f16
        cvt {TO_INTEGER} bf16 bf16
        cvt {ROUNDING} f16 bf16
        cvt {ROUNDING} bf16 f16
        """,
}
