"""The roofline of a device: read from it, measured on it, or given; and the arithmetic intensity of a product.

Williams, Waterman, Patterson: Roofline, Communications of the ACM 52(4), 2009.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cattrs
import numpy as np

from grader.contract.layout import stored_type
from grader.contract.messages import Answer, Survey, Surveyed
from grader.errors import InfrastructureError
from grader.host import gpu_lock
from grader.model import Backend, Interface, Interval, Launch, Limits, Machine, Rubric, Shape
from grader.sandbox.client import WorkerLostError
from grader.sandbox.starting import worker
from grader.study.measure.journal import Journal, key_of_device
from grader.study.measure.records import Roof
from grader.timing import statistics

WORD = 4  # bytes of the word in "operations per word", a single-precision number
DATA_RATE = 2  # transfers a clock: DDR, GDDR and HBM all move a word on both edges of the clock that drivers report
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
    with gpu_lock.of(machine).alone():
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
    stated = theoretical_bandwidth(attributes.get("MEMORY_CLOCK_RATE", 0), attributes.get("GLOBAL_MEMORY_BUS_WIDTH", 0))
    return Roof(peak, stated, statistics.interval([moved / second / 1e9 for second in seconds]), attributes)


def theoretical_bandwidth(memory_khz: int, bus_bits: int) -> float | None:
    """GB/s of a bus of so many bits at such a clock; None where the device states none."""
    return DATA_RATE * memory_khz * 1e3 * bus_bits / 8 / 1e9 or None


def ridge(peak_gflops: float, bandwidth: float) -> float:
    """The ridge point in FLOP per byte: with less, memory limits the speed; with more, arithmetic."""
    return peak_gflops / bandwidth


def bound(intensity: float, peak_gflops: float, bandwidth: float) -> float:
    """The GFLOPS that the roofline allows at an intensity in FLOP per byte."""
    return min(peak_gflops, intensity * bandwidth)


def tile_traffic(shape: Shape, interface: Interface, launch: Launch) -> int:
    """Bytes when every block reads the rows of A and the columns of B that its tile needs, each element once."""
    a, b, c = (np.dtype(stored_type(name)).itemsize for name in interface.types.values())
    columns, rows = launch.tile
    across, down = -(-shape.N // columns), -(-shape.M // rows)
    return shape.M * shape.K * across * a + shape.K * shape.N * down * b + shape.M * shape.N * c


def intensity(shape: Shape, traffic: int) -> float:
    """FLOP per byte."""
    return shape.flops / traffic
