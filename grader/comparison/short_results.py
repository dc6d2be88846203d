"""Whether no element of a rounded product uses the last bit of its type, because sums are kept in fewer. Pure.

Sums of 22 or 23 bits lose less than the limit allows. But half of all results need the last bit, in any order of sums.
"""

from __future__ import annotations

import numpy as np

from grader.comparison.compare import Comparison
from grader.contract.layout import bits
from grader.contract.precision import SIGNIFICAND
from grader.model import Interface

LEAST_ODD = 64  # exact results that need the last bit: by chance, no other one has it once in 2^64 products


def bits_of_results(comparison: Comparison, interface: Interface) -> int | None:
    """Return how many bits of their significands the results use, if all use fewer than float32 has.

    Only float32 with full factors has the question: tensor cores add in ways of their own.
    """
    if {interface.type_a, interface.type_b, interface.type_c} != {"float32"} or interface.math != "full":
        return None
    used = int(np.bitwise_or.reduce(bits(comparison.left), axis=None, where=comparison.looked))
    if not used or used & 1:
        return None
    exact = bits(comparison.want[comparison.looked].astype(np.float32))
    if np.count_nonzero(exact & 1) < LEAST_ODD:
        return None
    unused = (used & -used).bit_length() - 1
    return max(1, SIGNIFICAND["float32"] - unused)
