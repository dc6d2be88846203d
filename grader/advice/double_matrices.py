"""Counters of labs with float64 matrices, in the terms of the model for float32. Pure."""

from __future__ import annotations

from dataclasses import replace

from grader.model import Counters, LoopMix

LANES = 32
LEAST = 0.9  # of the product's multiply-adds: a kernel with fewer computes in another way


def of_doubles(counters: Counters) -> Counters | None:
    """Return the counters with the arithmetic of doubles as multiply-adds, and only conversions as double precision.

    None if it is too little for the product.
    """
    products = counters.double - counters.conversions
    if products + counters.tensor_products < LEAST * counters.shape.flops / 2 / LANES:
        return None
    loop = _of_doubles(counters.loop) if counters.loop else None
    return replace(counters, multiply_adds=products, double=counters.conversions, loop=loop)


def _of_doubles(loop: LoopMix) -> LoopMix:
    return replace(loop, multiply_adds=loop.double - loop.double_conversions, double=0)
