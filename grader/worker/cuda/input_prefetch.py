"""What a case uploads: drawn, laid out and surrounded, for the next case while the one before is on the device."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.layout import image, operands, store, surround
from grader.model import Backend, Case, Interface

LEAST_MEMORY = 16  # times the matrices of the next case; drawing takes twice those, and this case has its own

Images = dict[str, NDArray[np.uint8]]


class Drawer:
    """Drawing takes as long as all the rest of a case, and keeps one processor busy."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._ahead: dict[Case, Future[Images]] = {}

    def begin(self, case: Case, interface: Interface, memory_mib: int) -> None:
        """Draw the first launch of a case while something else is done, unless that would take much of the memory."""
        nbytes = sum(one.elements * np.dtype(one.dtype).itemsize for one in operands(interface, case.shape).values())
        if nbytes * LEAST_MEMORY <= memory_mib << 20:
            self._ahead = {case: self._thread.submit(images, case, interface, 0)}

    def images(self, case: Case, interface: Interface, launch: int) -> Images:
        """The images of A, B and C for a launch, from the drawing that was begun where it was."""
        begun = self._ahead.pop(case, None) if launch == 0 else None
        return begun.result() if begun else images(case, interface, launch)


def images(case: Case, interface: Interface, launch: int) -> Images:
    """The bytes of A, B and C before a launch, guards around them, C poisoned unless the lab says what it holds."""
    drawn, memory = inputs.draw(case, interface, launch), operands(interface, case.shape)
    return {
        name: surround(store(matrix, memory[name], interface), image(memory[name], name, Backend.CUDA))
        for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", drawn.C))
    }
