"""Counters of labs with int32 matrices, in the terms of the model for float32. Pure."""

from __future__ import annotations

from dataclasses import replace

from grader.model import Counters, LoopMix

LANES = 32
LEAST = 0.9  # of the product's multiply-adds: a kernel with fewer computes in another way
# Multiply-adds of 32-bit integers that a multiprocessor starts in a clock, on all devices of the table: CUDA C++
# Programming Guide, "Arithmetic Instructions", compute capabilities 7.0 to 9.0.
INTEGER_LANES = 64


def of_integers(counters: Counters) -> Counters | None:
    """Return the counters with the integer multiply-adds as arithmetic; None if they are too few for the product."""
    products = counters.integer_multiply_adds
    if products < LEAST * counters.shape.flops / 2 / LANES:
        return None
    loop = _of_integers(counters.loop) if counters.loop else None
    return replace(counters, multiply_adds=products, integer=counters.integer - products, loop=loop)


def _of_integers(loop: LoopMix) -> LoopMix:
    products = loop.integer_multiply_adds
    return replace(loop, multiply_adds=products, integer=loop.integer - products)
