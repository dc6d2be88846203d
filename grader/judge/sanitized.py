"""Checked launches under compute-sanitizer on a GPU, for kernels that the simulator does not support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.contract.messages import SEARCH_SECONDS
from grader.explain.searches import by_compute_sanitizer
from grader.explain.several_cases import CheckedCase
from grader.host.process import Running
from grader.judge.one_case import KernelSetup, run_case
from grader.model import Case
from grader.sandbox.starting import worker

GRACE_SECONDS = 5.0  # beyond the time limit of a tool, to start and end its processes
MEMORY_MIB = 8192  # for these processes, beyond the submission's limit


def sanitized(setup: KernelSetup, traced: Sequence[Case], reason: str, running: list[Running]) -> Iterator[CheckedCase]:
    """Yield the traced cases until one has a fault. `reason` says why the simulator does not support the kernel.

    The worker's process is added to `running`. All blocks run, because a GPU is fast enough. Raises InfrastructureError
    if compute-sanitizer does not work.
    """
    limits = replace(setup.limits, memory_mib=setup.limits.memory_mib + MEMORY_MIB)
    with worker(setup.backend, limits, setup.start) as current:
        running.append(current.running)
        current.begin_opening(searching=True)
        current.finish_opening()
        current.install(setup.artifact.files())
        for case in traced:
            patient = replace(setup, extra_seconds=SEARCH_SECONDS + GRACE_SECONDS)
            run = run_case(current, patient, replace(case, shared_out=False), (), None)
            checked = run.judge()
            if checked.result.fault is not None:
                yield checked
                return
            yield _with_scope(checked, reason)


def _with_scope(checked: CheckedCase, reason: str) -> CheckedCase:
    """Return the case with a remark that says what was not searched for."""
    remark = f"{checked.result.remark} {by_compute_sanitizer(reason)}".strip()
    return replace(checked, result=replace(checked.result, remark=remark))
