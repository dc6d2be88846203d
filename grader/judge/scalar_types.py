"""Which types of a kernel's sizes and factors hold what the lab passes. Pure."""

from __future__ import annotations

import numpy as np

from grader.model import Argument, Interface

INTEGERS = (2, 4, 8)  # bytes; a launch converts to a short as C++ does, even where a size is larger
REALS = (2, 4, 8)


def holds(argument: Argument, nbytes: int, interface: Interface) -> bool:
    """Whether a parameter of that size takes the argument: a factor exactly, or as exactly as the elements of C."""
    if argument.kind != "real":
        return argument.kind == "buffer" or nbytes in INTEGERS
    if nbytes not in REALS:
        return False
    is_as_exact = nbytes >= np.dtype(interface.type_c).itemsize
    with np.errstate(over="ignore"):
        return is_as_exact or float(np.dtype(f"f{nbytes}").type(argument.value)) == argument.value
