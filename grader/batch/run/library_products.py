"""The products of cuBLAS that all grades of a class are compared with, computed once for all processes of a machine.

Otherwise, each process would open a device for them, which the driver does for one process of a machine at a time.
"""

import json
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from grader.comparison.expectation import key
from grader.contract.inputs import RUNS
from grader.contract.layout import operands
from grader.host import cache, timeline
from grader.host.process import Exit, Running
from grader.judge.launch_verdicts import Bytes
from grader.model import Backend, Case, Interface, Limits, Machine, Purpose
from grader.sandbox.client import Worker
from grader.sandbox.processes import start_process
from grader.sandbox.starting import worker

MOST_BYTES = 1 << 27  # of the products of a class: twice those of the square lab
LOCK = "library-products"
PATIENCE = 5.0  # seconds for one product, which takes half of one; after them, one more process computes
LOOK_SECONDS = 0.02
MOST_REQUESTS = 5000  # each leaves two small files in the box


class LibraryProducts:
    """The products of cuBLAS, as the memory of C, for the second runs among `cases`.

    One grade at a time computes: the first that needs a product while nobody computes. It computes those that it needs
    until it closes this, and other grades wait for each of them.
    """

    def __init__(self, machine: Machine, interface: Interface, cases: Iterable[Case]) -> None:
        self._interface = interface
        self._of = (machine.device, json.dumps(machine.versions, sort_keys=True))
        left, self._cases = MOST_BYTES, list[Case]()
        for case in (case for case in cases if case.run == RUNS[1]):
            left -= operands(interface, case.shape)["C"].nbytes
            if left >= 0:
                self._cases.append(case)
        self._turn = ExitStack()
        self._computes = False

    def close(self) -> None:
        """Let another grade compute what is not known yet."""
        self._computes = False
        self._turn.close()

    def begin(self) -> bool:
        """Whether this grade is the first one of the class, and will compute."""
        self._computes = bool(self._cases) and self._known(self._cases[0]) is None and self._is_next()
        return self._computes

    def product(self, case: Case, compute: Callable[[], Bytes]) -> Bytes:
        """Return the product of a case: the known one, or what the function computes if it is this grade's turn."""
        if case not in self._cases:
            return compute()
        began = time.monotonic()
        while (known := self._known(case)) is None:
            if self._computes:
                product = compute()
                cache.write(self._name(case), product.tobytes())
                return product
            self._computes = self._is_next(int((time.monotonic() - began) / PATIENCE))
        return known

    def _is_next(self, number: int = 0) -> bool:
        """Whether nobody has the turn of this number; from now on, this grade has it."""
        with ExitStack() as turn:
            is_free = turn.enter_context(cache.lock(f"{LOCK}.{number}", LOOK_SECONDS))
            if is_free:
                self._turn = turn.pop_all()
            return is_free

    def _known(self, case: Case) -> Bytes | None:
        content = cache.read(self._name(case))
        return None if content is None else np.frombuffer(content, np.uint8)

    def _name(self, case: Case) -> str:
        return cache.key("cuBLAS", *self._of, repr(key(case, self._interface, 0)))


@dataclass
class StartedLater:
    """A process that starts when its first answer is waited for: most grades of a class need none."""

    start: Callable[[], Running]
    running: Running | None = None

    def poll(self) -> Exit | None:
        """Start it, or return how it ended."""
        self.running = self.running or self.start()
        return self.running.poll()

    def resident_bytes(self) -> int:
        """Return its memory."""
        return self.running.resident_bytes() if self.running else 0

    def processor_seconds(self) -> float:
        """Return its CPU time."""
        return self.running.processor_seconds() if self.running else 0.0

    def kill(self) -> None:
        """End it if it has started."""
        if self.running:
            self.running.kill()

    @property
    def has_ended(self) -> bool:
        return self.running is not None and self.running.poll() is not None


class CublasWorker:
    """Gives one worker again and again, and a new one after its end, after many requests, or for other limits.

    Its device is opened by the first grade that measures the baselines or computes the class's products.
    """

    def __init__(self) -> None:
        self._keeper = ExitStack()
        self._worker: Worker | None = None
        self._process: StartedLater | None = None

    def worker(self, backend: Backend, limits: Limits) -> Worker:
        """Return the worker."""
        if self._worker is None or not self._serves(self._worker, limits):
            self.close()
            self._worker = self._keeper.enter_context(worker(backend, limits, self._start, Purpose.TIME))
        return self._worker

    def close(self) -> None:
        """End the worker, and remove its box."""
        self._worker = None
        with timeline.part("cuBLAS"):
            self._keeper.close()

    def _start(self, box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Running:
        self._process = StartedLater(partial(start_process, box, backend, limits, purpose))
        return self._process

    def _serves(self, worker: Worker, limits: Limits) -> bool:
        ended = self._process is not None and self._process.has_ended
        return worker.limits == limits and worker.asked < MOST_REQUESTS and not ended
