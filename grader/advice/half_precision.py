"""Problems of kernels that multiply halves on the ordinary units. Pure."""

from __future__ import annotations

from grader.advice.rules import Problem, without
from grader.advice.situation import Situation

SCALAR = 0.5  # of the product's multiply-adds


def scalar_halves(situation: Situation) -> Problem | None:
    """Each instruction multiplies one half, in a lab whose sums are halves."""
    counters, work = situation.counters, situation.work
    scalar = counters.halves - counters.pairs
    if situation.elements.sums != "half" or counters.tensor_products or scalar < SCALAR * situation.useful:
        return None
    return Problem(
        "scalar arithmetic on halves",
        counters.loop.line if counters.loop else 0,
        f"{scalar / counters.halves:.0%} of the multiply-adds are of one half each. On half2, an instruction "
        "computes two in the same time.",
        "Let each thread compute two neighbouring elements of a row of C: load those of B as one half2, and multiply "
        "them with __hfma2 by an element of A in both halves (__half2half2).",
        without(work, halves=work.halves / 2, issued=work.issued / 2, l1=work.l1 / 2, shared=work.shared / 2),
    )
