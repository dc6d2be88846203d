"""What a launch gets, and what it has to leave: a function of the case alone, whatever the kernel does. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.comparison.error_limit import ErrorLimit, error_limit
from grader.comparison.product import product
from grader.contract.inputs import Inputs, draw
from grader.contract.precision import SIGNIFICAND
from grader.model import Case, Interface

Exact = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Expectation:
    """The inputs of a launch, and C as it should be (M x N). Without a limit, the values must be equal."""

    inputs: Inputs
    C: Exact
    limit: ErrorLimit | None


Expect = Callable[[Case, Interface, int], Expectation]  # of a launch of a case, by its number


def expectation(case: Case, interface: Interface, launch: int) -> Expectation:
    """Return what a launch gets and has to leave."""
    return of_inputs(draw(case, interface, launch), interface)


def of_inputs(inputs: Inputs, interface: Interface) -> Expectation:
    """Return what a launch with these inputs has to leave."""
    limit = None if inputs.exact else error_limit(inputs, interface)
    return Expectation(inputs, exact_result(inputs, interface), limit)


def exact_result(inputs: Inputs, interface: Interface) -> Exact:
    """C in float64 (M x N). Without rounding where the inputs are exact."""
    C = interface.alpha * _product(inputs, interface)
    if inputs.C is not None:
        C += interface.beta * inputs.C.astype(np.float64)
    return np.asarray(C)


def _product(inputs: Inputs, interface: Interface) -> Exact:
    """A times B, leaving out rows, columns and terms that are zero; in float32 where that is exact."""
    single = inputs.exact and SIGNIFICAND[interface.type_c] <= SIGNIFICAND["float32"]
    kind = np.float32 if single else np.float64
    rows, columns = inputs.A.any(1), inputs.B.any(0)
    terms = inputs.A.any(0) & inputs.B.any(1)
    if rows.all() and columns.all() and terms.all():
        return np.asarray(product(inputs.A.astype(kind), inputs.B.astype(kind)), np.float64)
    C = np.zeros((rows.size, columns.size))
    a, b = inputs.A[np.ix_(rows, terms)], inputs.B[np.ix_(terms, columns)]
    C[np.ix_(rows, columns)] = product(a.astype(kind), b.astype(kind))
    return C
