"""The simulator for one module: kernels made ready when they are asked for, launches that find the code they need.

Most kernels run as fast code, which takes for granted that lanes meet where their branches end. Where that does not
hold the launch is made again, from the same memory, with code that takes nothing for granted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.engine.launch import Argument, Outcome, launch
from grader.worker.simulator.engine.program import prepare
from grader.worker.simulator.engine.session import Session, open_session
from grader.worker.simulator.generate.layout import Status
from grader.worker.simulator.syntax.errors import UNEXPECTED, MalformedError, UnsupportedError
from grader.worker.simulator.syntax.records import Module

LEAST_SECONDS = 0.2  # for a launch that is made again


@dataclass(slots=True)
class Simulator:
    """A kernel of a module for one shape of blocks and so many bytes of dynamic shared memory.

    With a `box`, object code is kept there.
    """

    module: Module
    name: str
    block: Dim3
    dynamic_shared: int = 0
    box: Path | None = None
    _sessions: dict[tuple[bool, bool], Session] = field(default_factory=dict)
    _general: bool = False

    def launch(
        self,
        grid: Dim3,
        buffers: Mapping[str, NDArray[np.generic]],
        arguments: Sequence[Argument],
        *,
        blocks: NDArray[np.int64] | None = None,
        order: str = "forward",
        seed: int = 0,
        seconds: float = 20.0,
        processors: int = 2,
        printed_bytes: int = 65536,
    ) -> Outcome:
        """Run these blocks of a grid, or all of them; buffers are read and written in place.

        Raises:
            UnsupportedError: an instruction that the simulator lacks.

        """
        until = time.monotonic() + seconds

        def run(*, general: bool) -> Outcome:
            return launch(
                self.session(general=general, interleaved=order == "interleaved"),
                grid,
                buffers,
                arguments,
                blocks=blocks,
                order=order,
                seed=seed,
                seconds=max(LEAST_SECONDS, until - time.monotonic()),
                processors=processors,
                printed_bytes=printed_bytes,
            )

        if self._general:
            outcome = run(general=True)
        else:
            outcome = self._fast_if_possible(buffers, run, interleaved=order == "interleaved")
        if outcome.status is not Status.DONE and outcome.fault is None:
            raise UnsupportedError("lanes of a warp that part in this way", 0)
        return outcome

    def _fast_if_possible(
        self, buffers: Mapping[str, NDArray[np.generic]], run: Callable[..., Outcome], *, interleaved: bool
    ) -> Outcome:
        """Run the fast code, and the general code from the same memory if an assumption does not hold."""
        session = self.session(general=False, interleaved=interleaved)
        kept = _copies(buffers, session) if session.kernel.may_part else None
        outcome = run(general=False)
        if outcome.status is not Status.PARTED or kept is None:
            return outcome
        self._general = True
        _restore(buffers, self.session(general=True, interleaved=interleaved), kept)
        return run(general=True)

    def session(self, *, general: bool, interleaved: bool = False) -> Session:
        """Return the kernel in memory, made ready the first time. The general code is the same in every order."""
        key = general, interleaved and not general
        found = self._sessions.get(key)
        if found is None:
            found = self._sessions[key] = self._opened(*key)
        return found

    def _opened(self, general: bool, interleaved: bool) -> Session:
        try:
            kernel = prepare(
                self.module, self.name, self.block, self.dynamic_shared, general=general, interleaved=interleaved
            )
            return open_session(kernel, self.box)
        except UNEXPECTED as error:
            raise MalformedError("a use of PTX that no assembler takes") from error


Kept = tuple[dict[str, NDArray[np.generic]], dict[int, NDArray[np.uint8]]]


def _copies(buffers: Mapping[str, NDArray[np.generic]], session: Session) -> Kept:
    return (
        {name: array.copy() for name, array in buffers.items()},
        {segment: memory.copy() for segment, memory in session.variables.items()},
    )


def _restore(buffers: Mapping[str, NDArray[np.generic]], session: Session, kept: Kept) -> None:
    for name, array in buffers.items():
        array[...] = kept[0][name]
    for segment, memory in session.variables.items():
        memory[...] = kept[1][segment]
