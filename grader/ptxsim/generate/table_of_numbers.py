"""Arithmetic (PTX ISA, "Integer Arithmetic", "Floating-Point" and "Half Precision Floating-Point Instructions")."""

from __future__ import annotations

from grader.ptxsim.generate import bit_fields, byte_picks, division, floats, halves, integers, video
from grader.ptxsim.generate.table_words import INTEGER, ROUNDING, SHORT
from grader.ptxsim.generate.variants import Translate

TABLE: dict[Translate, str] = {
    integers.add_or_subtract: f"""
        add|sub {INTEGER}
        add|sub sat s32
        """,
    integers.multiply: f"""
        mul|mad hi|lo {INTEGER}
        mul|mad wide u16|u32|s16|s32
        mad hi sat s32
        """,
    division.divide: f"div|rem {INTEGER}",
    integers.smaller_or_larger: f"""
        min|max {INTEGER}
        min|max relu s32
        """,
    integers.negate: "neg|abs s16|s32|s64",
    video.pairs: """
        add|min|max u16x2|s16x2
        min|max relu s16x2
        """,
    bit_fields.difference: f"sad {INTEGER}",
    bit_fields.of_24_bits: """
        mul24|mad24 hi|lo u32|s32
        mad24 hi sat s32
        """,
    byte_picks.dot_product: """
        dp4a u32|s32 u32|s32
        dp2a hi|lo u32|s32 u32|s32
        """,
    floats.arithmetic: f"""
        add|sub|mul [{ROUNDING}] [ftz] [sat] f32
        add|sub|mul [{ROUNDING}] f64
        fma|mad {ROUNDING} [ftz] [sat] f32
        fma|mad {ROUNDING} f64
        div approx|full|{ROUNDING} [ftz] f32
        rcp|sqrt approx|{ROUNDING} [ftz] f32
        div|rcp|sqrt {ROUNDING} f64
        rsqrt|sin|cos|lg2|ex2 approx [ftz] f32
        rcp|rsqrt approx ftz f64
        rsqrt approx f64
        tanh approx f32
        neg|abs [ftz] f32
        neg|abs|min|max f64
        min|max [ftz] [NaN] f32
        min|max [ftz] [NaN] xorsign abs f32
        copysign f32|f64
        """,
    halves.arithmetic: f"""
        add|sub|mul [rn] [ftz] [sat] f16|f16x2
        add|sub|mul [rn] bf16|bf16x2
        fma rn [ftz] [sat|relu] f16|f16x2
        fma rn [relu] bf16|bf16x2
        neg|abs [ftz] f16|f16x2
        neg|abs bf16|bf16x2
        min|max [ftz] [NaN] f16|f16x2
        min|max [ftz] [NaN] xorsign abs f16|f16x2
        min|max [NaN] bf16|bf16x2
        min|max [NaN] xorsign abs bf16|bf16x2
        tanh approx {SHORT}
        ex2 approx f16|f16x2
        ex2 approx ftz bf16|bf16x2
        """,
}
