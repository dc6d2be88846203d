"""A cuBLAS worker that all submissions of a process share. It runs no student code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.contract.purpose import Purpose
from grader.host import timeline
from grader.host.process import Exit, Running
from grader.model import Backend, Limits
from grader.sandbox.client import Worker
from grader.sandbox.processes import start_process
from grader.sandbox.starting import worker

MOST_REQUESTS = 5000  # each leaves two small files in the box


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
