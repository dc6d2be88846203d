"""The roofline of a device: read from it, measured on it, or given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cattrs

from grader.contract.messages import Answer, Survey, Surveyed
from grader.errors import InfrastructureError
from grader.host import gpu_lock
from grader.model import Backend, Interval, Limits, Machine, Rubric
from grader.sandbox.client import WorkerLostError
from grader.sandbox.starting import worker
from grader.study.measure import roofline
from grader.study.measure.journal import Journal, key_of_device
from grader.study.measure.records import Roof
from grader.timing import statistics

SECONDS = 60.0


def roof(
    rubric: Rubric, machine: Machine, journal: Journal, peak_gflops: float | None, bandwidths: Sequence[float]
) -> Roof:
    """Return the device's roofline; values that are given replace those that the device states.

    `bandwidths` are GB/s: none, the one in theory, or that and the sustained one. Those of a device then do not count.

    The peak that a device states is of its single-precision units: it bounds no other type, and no tensor cores.
    """
    bounds = _of_device(machine, rubric.limits, journal) if machine.backend.capabilities.uses_gpu else Roof()
    if rubric.interface.type_a != "float32" or rubric.interface.math != "full":
        bounds = replace(bounds, peak_gflops=None)
    bounds = replace(bounds, peak_gflops=peak_gflops or bounds.peak_gflops)
    if not bandwidths:
        return bounds
    theory, *sustained = bandwidths
    return replace(bounds, bandwidth=theory, sustained=Interval(*(sustained * 3)) if sustained else None)


def _of_device(machine: Machine, limits: Limits, journal: Journal) -> Roof:
    key = key_of_device(machine)
    kept = journal.find(key)
    if kept is not None:
        return cattrs.structure(kept, Roof)
    with gpu_lock.of(machine).alone() as waits:
        for _ in waits:
            continue
        answer = _survey(machine.backend, limits)
    if not isinstance(answer, Surveyed) or not answer.seconds:
        raise InfrastructureError("The worker did not measure the device's memory.")
    measured = _roof(machine.peak_gflops, answer.attributes, answer.moved_bytes, answer.seconds)
    journal.keep(key, cattrs.unstructure(measured))
    return measured


def _survey(backend: Backend, limits: Limits) -> Answer:
    with worker(backend, limits) as surveyor:
        surveyor.finish_opening()
        try:
            return surveyor.ask(Survey(), SECONDS)
        except WorkerLostError as lost:
            raise InfrastructureError("The worker that measures the device's memory was lost.") from lost


def _roof(peak: float | None, attributes: Mapping[str, int], moved: int, seconds: tuple[float, ...]) -> Roof:
    stated = roofline.theoretical_bandwidth(
        attributes.get("MEMORY_CLOCK_RATE", 0), attributes.get("GLOBAL_MEMORY_BUS_WIDTH", 0)
    )
    return Roof(peak, stated, statistics.interval([moved / second / 1e9 for second in seconds]), attributes)
