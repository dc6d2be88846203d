"""What a case uploads: drawn, laid out and surrounded, for the next case while the one before is on the device."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.layout import matrix_file, operands, store, surround
from grader.model import Case, Interface

LEAST_MEMORY = 16  # times the matrices of the next case; drawing takes twice those, and this case has its own

Contents: TypeAlias = dict[str, NDArray[np.uint8]]  # the bytes of A, B and C with their guards


class InputPrefetch:
    """Draws the inputs of the next case in a thread: that takes as long as all the rest of a case."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._ahead: dict[Case, Future[Contents]] = {}

    def begin(self, case: Case, interface: Interface, memory_mib: int) -> None:
        """Start drawing the first launch of a case, unless that would take much of the memory."""
        nbytes = sum(operand.nbytes for operand in operands(interface, case.shape).values())
        if nbytes * LEAST_MEMORY <= memory_mib << 20:
            self._ahead = {case: self._thread.submit(contents, case, interface, 0)}

    def take(self, case: Case, interface: Interface, launch: int) -> Contents:
        """The contents of A, B and C for a launch, drawn ahead or now."""
        ahead = self._ahead.pop(case, None) if launch == 0 else None
        return ahead.result() if ahead else contents(case, interface, launch)


def contents(case: Case, interface: Interface, launch: int) -> Contents:
    """The bytes of A, B and C before a launch, guards around them, C poisoned unless the lab says what it holds."""
    drawn, memory = inputs.draw(case, interface, launch), operands(interface, case.shape)
    return {
        name: surround(store(matrix, memory[name], interface), matrix_file(memory[name], name))
        for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", drawn.C))
    }
