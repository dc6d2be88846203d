"""The host's part of a worker's inputs: drawn, and laid out as the device needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds, inputs
from grader.contract.large_terms import Indices
from grader.contract.layout import operands, store, store_guarded
from grader.model import Case, Interface, Shape

LEAST_MEMORY = 16  # times the matrices of the next cases; drawing takes twice those, and this case has its own

Contents: TypeAlias = dict[str, NDArray[np.uint8]]  # the bytes of A, B and C with their guards
Stored: TypeAlias = dict[str, NDArray[np.generic]]  # A, B and C as they lie in memory


class LaunchKey(NamedTuple):
    """What decides the contents of the matrices before a launch of a case."""

    case: Case
    interface: Interface
    launch: int


class SizeKey(NamedTuple):
    """What decides the inputs from which all timed launches of a size derive."""

    shape: Shape
    interface: Interface
    seed: int


def contents(key: LaunchKey) -> Contents:
    """The bytes of A, B and C with guards before a launch; C is poisoned unless the lab defines its initial values."""
    drawn, memory = inputs.draw(*key).by_name, operands(key.interface, key.case.shape)
    return {name: store_guarded(drawn[name], operand, key.interface) for name, operand in memory.items()}


class TimedInputs(NamedTuple):
    """The matrices from which the timed launches of a size derive, and the terms that stay where they are."""

    stored: Stored
    aligned: Indices


def base(key: SizeKey) -> TimedInputs:
    """Draw the inputs of a size, and lay them out."""
    memory = operands(key.interface, key.shape)
    pair = freivalds.base(key.shape, key.interface, key.seed)
    stored = {name: store(pair.by_name[name], operand, key.interface) for name, operand in memory.items()}
    return TimedInputs(stored, pair.aligned)


def that_fit(cases: Iterable[Case], interface: Interface, memory_mib: int) -> Iterator[Case]:
    """The first cases, as many as may be drawn ahead without taking much of the memory."""
    nbytes = 0
    for case in cases:
        nbytes += sum(operand.nbytes for operand in operands(interface, case.shape).values())
        if nbytes * LEAST_MEMORY > memory_mib << 20:
            return
        yield case
