"""Times groups of launches on the device: behind a gate, on fresh inputs, with every output projected afterwards."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds
from grader.contract.layout import arguments, operands
from grader.contract.timing_messages import PROJECTIONS, VECTOR, Timed, Transfer
from grader.errors import InfrastructureError
from grader.model import Interface, Shape, Telemetry
from grader.worker.cuda import cublas, graph, matrix_sets
from grader.worker.cuda.device import Device, telemetry
from grader.worker.cuda.drawing import Stored
from grader.worker.cuda.kernel import LoadedKernel
from grader.worker.cuda.matrix_sets import LEAST_SETS, Addresses
from grader.worker.cuda.pycuda_types import CudaModule, DeviceMemory

GROUP_SECONDS = 0.012
WARM_GROUPS, WARM_SECONDS = 5, 0.04  # at least both, until the clock has settled
LONG_WARM = 0.5  # seconds after which one group is enough: at N = 8192 a naive launch takes 0.2
THREADS = 256

Buffers: TypeAlias = dict[str, DeviceMemory]  # the inputs of one family
Words: TypeAlias = tuple[np.generic | DeviceMemory, ...]


class Bench:
    """One size, ready for timing once it is warm. A group takes `launches` sets; the next continues after them."""

    def __init__(
        self,
        device: Device,
        shape: Shape,
        interface: Interface,
        seed: int,
        trusted: CudaModule,
        bases: Mapping[str, Stored],
    ) -> None:
        self.device, self.shape, self.interface, self.seed, self.trusted = device, shape, interface, seed, trusted
        self.memory = operands(interface, shape)
        self.families = freivalds.families(shape)
        first = bases[self.families[0]]
        self.host = {name: first[name] for name in ("A", "B")}  # for transfers
        self.bases = {family: self._on_device(bases[family]) for family in self.families}
        self.sets = matrix_sets.allocate(device, {name: operand.nbytes for name, operand in self.memory.items()})
        self.x = device.driver.mem_alloc(shape.N * 8)
        self.result = device.driver.mem_alloc(self.sets.count * shape.M * 8)
        self.flag = device.driver.pagelocked_empty(1, np.uint32, mem_flags=device.driver.host_alloc_flags.DEVICEMAP)
        self._start: Callable[[Addresses], None] | None = None
        self.first, self.launches = 0, self.sets.count

    def warm_up(self, subject: LoadedKernel | cublas.Library) -> int:
        """Launch until the clock has settled, and return how many launches fill GROUP_SECONDS: those of a group."""
        self._start = self._submission(subject) if isinstance(subject, LoadedKernel) else self._library(subject)
        self._freshen(0, self.sets.count, 0, self.families[0])
        self.launch(self.sets.addresses(0))  # a first launch loads code, which a capture must not
        self.device.stream.synchronize()
        began = time.perf_counter()
        for group in itertools.count(1):
            seconds = self._time(0, LEAST_SETS, watched=False)[0] / LEAST_SETS
            spent = time.perf_counter() - began
            if spent > LONG_WARM or (group >= WARM_GROUPS and spent > WARM_SECONDS):
                break
        self.launches = max(1, min(self.sets.count, round(GROUP_SECONDS / max(seconds, 1e-7))))
        return self.launches

    def time_round(self, number: int, family: str) -> Timed:
        """Draw fresh inputs of the family, poison C, and time one group."""
        self.first = number * self.launches % self.sets.count
        self._freshen(self.first, self.launches, number, family)
        seconds, host_seconds, seen = self._time(self.first, self.launches, watched=True)
        return Timed(seconds, host_seconds, self.launches, seen)

    def project(self, box: Path) -> None:
        """Write the projections of the last group (float64, launches x M) onto the box's vector to the box."""
        self._project(np.fromfile(box / VECTOR, np.float64, self.shape.N)).tofile(box / PROJECTIONS)

    def time_transfers(self) -> Transfer:
        """Copy both inputs in, launch, copy the result out, by the host's clock."""
        driver, target = self.device.driver, self.sets.addresses(0)
        result = np.empty(self.memory["C"].nbytes, np.uint8)
        began = time.perf_counter()
        for name, elements in self.host.items():
            driver.memcpy_htod(target[name], elements)
        driver.Context.synchronize()  # a copy from pageable memory returns before its last part has arrived
        sent = time.perf_counter()
        self.launch(target)
        self.device.stream.synchronize()
        computed = time.perf_counter()
        driver.memcpy_dtoh(result, target["C"])
        return Transfer(sent - began, computed - sent, time.perf_counter() - computed)

    def _time(self, first: int, launches: int, *, watched: bool) -> tuple[float, float, Telemetry | None]:
        """Return the seconds between two events around a graph of launches, all queued before the gate opens.

        Also return the seconds by the host's clock from the opening of the gate to the end, and telemetry.
        """
        driver, stream = self.device.driver, self.device.stream
        group = self.graph_of(first, launches)
        before, after = driver.Event(), driver.Event()
        self.flag[0] = 0
        gate = self.trusted.get_function("gate")
        gate(np.uint64(self.flag.base.get_device_pointer()), block=(1, 1, 1), grid=(1, 1), stream=stream)
        before.record(stream)
        graph.launch(group, stream.handle)
        after.record(stream)
        began = time.perf_counter()
        self.flag[0] = 1
        seen = telemetry(self.device) if watched else None
        after.synchronize()
        host_seconds = time.perf_counter() - began
        graph.destroy(group)
        return after.time_since(before) / 1e3, host_seconds, seen

    def graph_of(self, first: int, launches: int) -> graph.Graph:
        """Return a new graph of a group, for the caller to destroy.

        A graph that runs a second time has its parameters in the device's caches, and a student's launches do not:
        products of cuBLAS at N = 256 and 512 took 8 and 4 % less time in one.
        """

        def queue() -> None:
            for number in range(launches):
                self.launch(self.sets.addresses(first + number))

        return graph.capture(self.device.stream.handle, queue)

    def launch(self, at: Addresses) -> None:
        """Queue one launch on the matrices at these addresses."""
        if self._start is None:
            raise InfrastructureError("The worker received a size to time that is not warm.")
        self._start(at)

    def _freshen(self, first: int, launches: int, number: int, family: str) -> None:
        """Give so many sets fresh signs of round `number`, and C its initial contents."""
        base = self.bases[family]
        fresh = freivalds.signs(self.shape, self.seed, number, launches)
        by_line = self.interface.layout == "row"
        signs = []
        for name, rows, columns in (("A", fresh.a_rows, fresh.a_columns), ("B", fresh.b_rows, fresh.b_columns)):
            transposed = self.interface.transpose_a if name == "A" else self.interface.transpose_b
            lines, positions = (rows, columns) if by_line != transposed else (columns, rows)
            signs += [self._device_copy(lines), self._device_copy(positions)]
            self._freshen_all(name, base[name], first, launches, signs[-2], signs[-1])
        self.device.stream.synchronize()  # before the memory of the signs is freed
        for place in range(launches):
            target = self.sets.addresses(first + place)["C"]
            self.device.driver.memcpy_dtod(target, base["C"], self.memory["C"].nbytes)

    def _freshen_all(
        self, name: str, base: DeviceMemory, first: int, launches: int, lines: DeviceMemory, positions: DeviceMemory
    ) -> None:
        operand = self.memory[name]
        words = (lines, positions, *_ints(operand.lines, operand.length, operand.stride))
        grid = -(-operand.length // THREADS), min(operand.lines, 65535), launches
        self._run(f"freshen_{operand.dtype}", grid, (base, *self._circle(name, first), *words))

    def _project(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        driver, operand = self.device.driver, self.memory["C"]
        driver.memcpy_htod(self.x, x)
        strides = (operand.stride, 1) if self.interface.layout == "row" else (1, operand.stride)
        words = (self.x, self.result, *_ints(self.shape.M, self.shape.N), *map(np.int64, strides))
        grid = -(-self.shape.M // (THREADS // 32)), self.launches, 1
        self._run(f"project_{operand.dtype}", grid, (*self._circle("C", self.first), *words))
        self.device.stream.synchronize()
        result = np.empty((self.launches, self.shape.M), np.float64)
        driver.memcpy_dtoh(result, self.result)
        return result

    def _circle(self, name: str, first: int) -> Words:
        """The matrices of a name from a first one on, as bench.cu takes them."""
        return self.sets.memory[name], np.uint64(self.sets.pitches[name]), *_ints(first, self.sets.count)

    def _run(self, function: str, grid: tuple[int, int, int], words: Words) -> None:
        self.trusted.get_function(function)(*words, block=(THREADS, 1, 1), grid=grid, stream=self.device.stream)

    def _on_device(self, stored: Stored) -> Buffers:
        return {name: self._device_copy(elements) for name, elements in stored.items()}

    def _submission(self, kernel: LoadedKernel) -> Callable[[Addresses], None]:
        words = arguments(self.interface, self.shape)
        return lambda at: kernel.start(self.shape, words, at, self.device.stream)

    def _library(self, library: cublas.Library) -> Callable[[Addresses], None]:
        product = cublas.product(library, self.interface, self.shape)
        return lambda at: product(at["A"], at["B"], at["C"])

    def _device_copy(self, elements: NDArray[np.generic]) -> DeviceMemory:
        memory: DeviceMemory = self.device.driver.to_device(np.ascontiguousarray(elements))
        return memory


def _ints(*values: int) -> tuple[np.int32, ...]:
    return tuple(map(np.int32, values))
