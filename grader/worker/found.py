"""Findings that end what a worker was asked to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from grader.contract.found import CompileFinding, Finding
from grader.model.launches import OfOneKernel, OfSeveral


class FoundError(Exception):
    """The kernel failed; the finding says how."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(repr(finding))
        self.finding = finding


@contextmanager
def of_kernel(number: int, kernels: int) -> Iterator[None]:
    """Say which of several kernels is refused."""
    try:
        yield
    except FoundError as error:
        if kernels == 1 or not isinstance(error.finding, OfOneKernel):
            raise
        raise FoundError(OfSeveral(number, error.finding)) from error


class NotCompiledError(Exception):
    """The file has no kernel that can be launched; the finding says why."""

    def __init__(self, finding: CompileFinding) -> None:
        super().__init__(repr(finding))
        self.finding = finding
