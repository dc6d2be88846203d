"""Whether no element of a rounded product uses the last bit of its type, because the sums have fewer bits. Pure.

The errors of sums with 22 or 23 bits are below the limits. But in every order of summation, half of all results use the
last bit.
"""

from __future__ import annotations

import numpy as np

from grader.comparison.compare import Comparison
from grader.contract.layout import bits
from grader.contract.precision import SIGNIFICAND
from grader.model import Interface

LEAST_ODD = 64  # exact results with the last bit; that no computed one has it happens by chance once in 2^64 products


def bits_of_results(comparison: Comparison, interface: Interface) -> int | None:
    """Return the number of bits that the significands of the results use; None if that is all of float32's.

    Also None for other types and for tensor cores, which sum in their own formats.
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
