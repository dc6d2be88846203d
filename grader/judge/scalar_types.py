"""Whether the types of a kernel's scalar parameters hold the values that the lab passes. Pure."""

from __future__ import annotations

import numpy as np

from grader.model import Argument, Interface

INTEGERS = (2, 4, 8)  # bytes; a launch converts to short as C++ does, even if a size is too large
REALS = (2, 4, 8)


def holds(argument: Argument, nbytes: int, interface: Interface) -> bool:
    """Whether a parameter of `nbytes` holds the argument; a factor exactly, or as precisely as an element of C."""
    if argument.kind != "real":
        return argument.kind == "buffer" or nbytes in INTEGERS
    if nbytes not in REALS:
        return False
    is_as_exact = nbytes >= np.dtype(interface.type_c).itemsize
    with np.errstate(over="ignore"):
        return is_as_exact or float(np.dtype(f"f{nbytes}").type(argument.value)) == argument.value
