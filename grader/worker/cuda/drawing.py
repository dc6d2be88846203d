"""The host's part of a worker's inputs: drawn in threads ahead of time, and laid out as the device needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds, inputs
from grader.contract.large_terms import Indices
from grader.contract.layout import operands, store, store_guarded
from grader.host import cpus
from grader.model import Case, Interface, Shape

LEAST_MEMORY = 16  # times the matrices of the next cases; drawing takes twice those, and this case has its own

Contents: TypeAlias = dict[str, NDArray[np.uint8]]  # the bytes of A, B and C with their guards
Stored: TypeAlias = dict[str, NDArray[np.generic]]  # A, B and C as they lie in memory
MOST_THREADS = 4

Key = TypeVar("Key")
Result = TypeVar("Result")


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


class Prefetch(Generic[Key, Result]):
    """Computes some results ahead."""

    def __init__(self, compute: Callable[[Key], Result]) -> None:
        self._compute = compute
        self._threads = ThreadPoolExecutor(min(MOST_THREADS, len(cpus.allowed())))
        self._ahead: dict[Key, Future[Result]] = {}

    def begin(self, keys: Iterable[Key]) -> None:
        """Start computing the results of `keys`, those first that come first; others that were begun are forgotten."""
        forgotten = self._ahead
        self._ahead = {key: forgotten.pop(key) if key in forgotten else self._start(key) for key in keys}
        for begun in forgotten.values():
            begun.cancel()

    def wait(self, key: Key) -> None:
        """Wait for the result of `key`, which is begun now unless it was before."""
        self._ahead[key] = self._ahead.get(key) or self._start(key)
        self._ahead[key].result()

    def take(self, key: Key) -> Result:
        """Return the result that was begun, once, or one computed now."""
        ahead = self._ahead.pop(key, None)
        return ahead.result() if ahead else self._compute(key)

    def _start(self, key: Key) -> Future[Result]:
        return self._threads.submit(self._compute, key)


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
