"""A cuBLAS worker that all submissions of a process share. It runs no student code."""

from __future__ import annotations

from contextlib import ExitStack

from grader.host import timeline
from grader.model import Backend, Limits
from grader.sandbox.client import Worker
from grader.sandbox.starting import worker

MOST_REQUESTS = 5000  # each leaves two small files in the box


class CublasWorker:
    """Starts a worker at the first use, and a new one after its end, after many requests, or for other limits.

    Its device is opened by the first grade that measures the baselines or computes the class's products.
    """

    def __init__(self) -> None:
        self._keeper = ExitStack()
        self._worker: Worker | None = None

    def worker(self, backend: Backend, limits: Limits) -> Worker:
        """Return the worker."""
        if self._worker is None or not self._serves(self._worker, limits):
            self.close()
            self._worker = self._keeper.enter_context(worker(backend, limits))
        return self._worker

    def close(self) -> None:
        """End the worker, and remove its box."""
        self._worker = None
        with timeline.part("cuBLAS"):
            self._keeper.close()

    def _serves(self, worker: Worker, limits: Limits) -> bool:
        return worker.limits == limits and worker.asked < MOST_REQUESTS and worker.running.poll() is None
