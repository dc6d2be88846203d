"""Launches that PyCUDA does not have: groups of launches as one CUDA graph, and cooperative ones.

The device runs a graph without the host. Between launches queued in a stream the device pauses for about a microsecond,
between the nodes of a graph for a fraction of that; at N = 256 the difference is 4 to 8 % of a launch. The blocks of a
cooperative launch are on the device at a time, so that they can wait for each other: a kernel with grid.sync() traps in
an ordinary one (CUDA C++ Programming Guide, "Grid Synchronization").
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from cuda.bindings import driver

from grader.errors import InfrastructureError
from grader.host import interpreter
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


def capture_graph(stream: int, launches: Callable[[], object]) -> object:
    """An executable graph of what `launches` queues on the stream with this handle.

    No garbage is collected meanwhile: memory of the device that is freed during a capture ends it with an error.
    """
    with interpreter.without_garbage_collection():
        _check(driver.cuStreamBeginCapture(stream, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
        launches()
    graph = _check(driver.cuStreamEndCapture(stream))
    executable = _check(driver.cuGraphInstantiate(graph, 0))
    _check(driver.cuGraphDestroy(graph))
    _check(driver.cuGraphUpload(executable, stream))
    return executable


def launch_graph(executable: object, stream: int) -> None:
    """Queue the graph on the stream with this handle."""
    _check(driver.cuGraphLaunch(executable, stream))


def destroy_graph(executable: object) -> None:
    """Free the graph."""
    _check(driver.cuGraphExecDestroy(executable))


def _check(result: tuple[driver.CUresult, *tuple[object, ...]]) -> object:
    """The value that a driver call returned besides its status."""
    if result[0] != driver.CUresult.CUDA_SUCCESS:
        raise InfrastructureError(f"The CUDA driver refused a graph: {result[0].name}")
    return result[1] if len(result) > 1 else None


def load_cooperative(image: bytes, symbol: str, launch: Launch, multiprocessors: int) -> CooperativeFunction:
    """Load the kernel of an image into the current context."""
    status, module = driver.cuModuleLoadData(image)
    _check_kernel(status)
    status, function = driver.cuModuleGetFunction(module, symbol.encode())
    _check_kernel(status)
    most_shared = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    _check_kernel(*driver.cuFuncSetAttribute(function, most_shared, launch.shared))
    status, blocks = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, launch.threads, launch.shared)
    _check_kernel(status)
    return CooperativeFunction(function, blocks * multiprocessors)


def _three(extents: tuple[int, ...]) -> tuple[int, ...]:
    return (*extents, 1, 1)[:3]


def _check_kernel(status: driver.CUresult) -> None:
    if status != driver.CUresult.CUDA_SUCCESS:
        raise InfrastructureError(f"The CUDA driver refused a cooperative kernel: {status.name}.")
