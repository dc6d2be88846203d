"""Cooperative launches: all blocks of the grid are on the device at a time, so that they can wait for each other.

PyCUDA has none, and a kernel with grid.sync() traps in an ordinary launch (CUDA C++ Programming Guide, "Grid
Synchronization").
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from cuda.bindings import driver

from grader.errors import InfrastructureError
from grader.model import Launch
from grader.model.findings import NotResident
from grader.worker.cuda.device import driver_failed
from grader.worker.cuda.pycuda_types import Stream
from grader.worker.found import FoundError

TOO_LARGE = driver.CUresult.CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE


@dataclass(frozen=True, slots=True)
class CooperativeFunction:
    """A kernel, called as PyCUDA calls one."""

    function: driver.CUfunction
    at_a_time: int
    """The blocks that the device can hold."""

    def __call__(
        self, *values: np.void, block: tuple[int, ...], grid: tuple[int, ...], stream: Stream, shared: int = 0
    ) -> None:
        """Queue a launch. Raises FoundError if the driver refuses it, as one that the device cannot hold."""
        held = [np.array(value) for value in values]
        addresses = np.array([value.ctypes.data for value in held], np.uint64)
        words = (*_three(grid), *_three(block), shared, stream.handle, addresses.ctypes.data)
        (status,) = driver.cuLaunchCooperativeKernel(self.function, *words)
        if status == TOO_LARGE:
            raise FoundError(NotResident(math.prod(grid), self.at_a_time))
        if status != driver.CUresult.CUDA_SUCCESS:
            _, message = driver.cuGetErrorString(status)
            raise FoundError(driver_failed(message.decode()))


def load(image: bytes, symbol: str, launch: Launch, multiprocessors: int) -> CooperativeFunction:
    """Load the kernel of an image into the current context."""
    status, module = driver.cuModuleLoadData(image)
    _check(status)
    status, function = driver.cuModuleGetFunction(module, symbol.encode())
    _check(status)
    most_shared = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    _check(*driver.cuFuncSetAttribute(function, most_shared, launch.shared))
    status, blocks = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, launch.threads, launch.shared)
    _check(status)
    return CooperativeFunction(function, blocks * multiprocessors)


def _three(extents: tuple[int, ...]) -> tuple[int, ...]:
    return (*extents, 1, 1)[:3]


def _check(status: driver.CUresult) -> None:
    if status != driver.CUresult.CUDA_SUCCESS:
        raise InfrastructureError(f"The CUDA driver refused a cooperative kernel: {status.name}.")
