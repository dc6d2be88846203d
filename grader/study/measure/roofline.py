"""The roofline of a device, and the arithmetic intensity of a product. Pure.

Williams, Waterman, Patterson: Roofline, Communications of the ACM 52(4), 2009.
"""

from __future__ import annotations

import numpy as np

from grader.contract.layout import stored_type
from grader.model import Interface, Launch, Shape

WORD = 4  # bytes of the word in "operations per word", a single-precision number
DATA_RATE = 2  # transfers a clock: DDR, GDDR and HBM all move a word on both edges of the clock that drivers report


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
    a, b, c = (np.dtype(stored_type(name)).itemsize for name in (interface.type_a, interface.type_b, interface.type_c))
    columns, rows = launch.tile
    across, down = -(-shape.N // columns), -(-shape.M // rows)
    return shape.M * shape.K * across * a + shape.K * shape.N * down * b + shape.M * shape.N * c


def intensity(shape: Shape, traffic: int) -> float:
    """FLOP per byte."""
    return shape.flops / traffic
