"""Times groups of launches on the device: behind a gate, on fresh inputs, with every output projected afterwards."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds
from grader.contract.further import further
from grader.contract.layout import operands
from grader.contract.timing_messages import PROJECTIONS, VECTOR, Timed, Transfer
from grader.model import Interface, Shape, Telemetry
from grader.worker.cuda import cublas, driver_launches
from grader.worker.cuda.device import Device, telemetry
from grader.worker.cuda.drawing import TimedInputs
from grader.worker.cuda.kernel import LoadedKernel, starter
from grader.worker.cuda.pycuda_types import CudaModule, DeviceMemory

CACHES = 2  # size of all sets over the L2 cache, so that no launch finds its inputs there
MOST_SETS = 400  # well below the 1024 launches that a stream queues before the host must wait
LEAST_SETS = 3
GROUP_SECONDS = 0.012
WARM_GROUPS, WARM_SECONDS = 5, 0.04  # at least both, until the clock has settled
LONG_WARM = 0.5  # seconds after which one group is enough: at N = 8192 a naive launch takes 0.2
THREADS = 256

Buffers: TypeAlias = dict[str, DeviceMemory]  # the matrices of one launch


class Bench:
    """One size, ready for timing. A group takes `launches` of the `sets`; the next group continues after them."""

    def __init__(
        self,
        device: Device,
        subject: tuple[LoadedKernel, ...] | cublas.Library,
        shape: Shape,
        interface: Interface,
        seed: int,
        trusted: CudaModule,
        base: TimedInputs,
    ) -> None:
        self.device, self.shape, self.interface, self.seed, self.trusted = device, shape, interface, seed, trusted
        self.memory = operands(interface, shape)
        self.host = {name: base.stored[name] for name in ("A", "B")}  # for transfers
        self.base = {name: self._device_copy(elements) for name, elements in base.stored.items()}
        self.aligned = base.aligned
        self.nbytes = {name: operand.nbytes for name, operand in self.memory.items()}
        count = _set_count(sum(self.nbytes.values()), device.attribute("L2_CACHE_SIZE"))
        self.further = further(interface, shape) if isinstance(subject, tuple) else {}
        room = self.nbytes | {name: filled.nbytes for name, filled in self.further.items()}
        self.sets = [{name: device.driver.mem_alloc(size) for name, size in room.items()} for _ in range(count)]
        self.x = device.driver.mem_alloc(shape.N * 8)
        self.result = device.driver.mem_alloc(count * shape.M * 8)
        self.flag = device.driver.pagelocked_empty(1, np.uint32, mem_flags=device.driver.host_alloc_flags.DEVICEMAP)
        self.freshen = {
            name: _prepared(trusted, f"freshen_{self.memory[name].dtype}", "PPPPiii") for name in ("A", "B")
        }
        self.projecting = _prepared(trusted, f"project_{self.memory['C'].dtype}", "PPPiiqq")
        self.start = self._submission(subject) if isinstance(subject, tuple) else self._library(subject)
        self.launches = count
        self.launches = self._group_size()
        self.chosen = self.sets[: self.launches]

    def time_round(self, number: int) -> Timed:
        """Draw fresh inputs, poison C, and time one group."""
        first = number * self.launches % len(self.sets)
        self.chosen = [self.sets[(first + i) % len(self.sets)] for i in range(self.launches)]
        self._freshen(self.chosen, number)
        seconds, host_seconds, seen = self._time(self.chosen, watched=True)
        return Timed(seconds, host_seconds, self.launches, seen)

    def project(self, box: Path) -> None:
        """Write the projections of the last group (float64, launches x M) onto the box's vector to the box."""
        self._project(self.chosen, np.fromfile(box / VECTOR, np.float64, self.shape.N)).tofile(box / PROJECTIONS)

    def time_transfers(self) -> Transfer:
        """Copy both inputs in, launch, copy the result out, by the host's clock."""
        driver, target = self.device.driver, self.sets[0]
        result = np.empty(self.nbytes["C"], np.uint8)
        began = time.perf_counter()
        for name, elements in self.host.items():
            driver.memcpy_htod(target[name], elements)
        driver.Context.synchronize()  # a copy from pageable memory returns before its last part has arrived
        sent = time.perf_counter()
        self.start(target)
        self.device.stream.synchronize()
        computed = time.perf_counter()
        driver.memcpy_dtoh(result, target["C"])
        return Transfer(sent - began, computed - sent, time.perf_counter() - computed)

    def _time(self, chosen: list[Buffers], *, watched: bool) -> tuple[float, float, Telemetry | None]:
        """Return the seconds between two events around a graph of launches, all queued before the gate opens.

        Also return the seconds by the host's clock from the opening of the gate to the end, and telemetry.
        """
        driver, stream = self.device.driver, self.device.stream
        group = driver_launches.capture_graph(stream.handle, lambda: [self.start(buffers) for buffers in chosen])
        before, after = driver.Event(), driver.Event()
        self.flag[0] = 0
        gate = self.trusted.get_function("gate")
        gate(np.uint64(self.flag.base.get_device_pointer()), block=(1, 1, 1), grid=(1, 1), stream=stream)
        before.record(stream)
        driver_launches.launch_graph(group, stream.handle)
        after.record(stream)
        began = time.perf_counter()
        self.flag[0] = 1
        seen = telemetry(self.device) if watched else None
        after.synchronize()
        host_seconds = time.perf_counter() - began
        driver_launches.destroy_graph(group)
        return after.time_since(before) / 1e3, host_seconds, seen

    def _group_size(self) -> int:
        """Warm up until the clock has settled, and count how many launches fill GROUP_SECONDS."""
        self._freshen(self.sets, 0)
        self.start(self.sets[0])  # a first launch loads code, which a capture must not
        self.device.stream.synchronize()
        began = time.perf_counter()
        for group in itertools.count(1):
            seconds = self._time(self.sets[:LEAST_SETS], watched=False)[0] / LEAST_SETS
            spent = time.perf_counter() - began
            if spent > LONG_WARM or (group >= WARM_GROUPS and spent > WARM_SECONDS):
                break
        return max(1, min(len(self.sets), round(GROUP_SECONDS / max(seconds, 1e-7))))

    def _freshen(self, chosen: list[Buffers], number: int) -> None:
        fresh = freivalds.changes(self.shape, self.aligned, self.seed, number, len(chosen))
        of_a = _in_order(fresh.a_rows), _in_order(fresh.a_columns)
        of_b = fresh.b_rows * (fresh.b_order + np.int32(1)), _in_order(fresh.b_columns)
        by_line = self.interface.layout == "row"
        for name, (rows, columns) in (("A", of_a), ("B", of_b)):
            transposed = self.interface.transpose_a if name == "A" else self.interface.transpose_b
            lines, positions = (rows, columns) if by_line != transposed else (columns, rows)
            device_lines, device_positions = self._device_copy(lines), self._device_copy(positions)
            for i, buffers in enumerate(chosen):
                self._freshen_one(name, self.base[name], buffers[name], int(device_lines) + i * lines[0].nbytes,
                                  int(device_positions) + i * positions[0].nbytes)  # fmt: skip
            self.device.stream.synchronize()
        for buffers in chosen:
            self.device.driver.memcpy_dtod(buffers["C"], self.base["C"], self.nbytes["C"])
            for name, filled in self.further.items():
                self.device.driver.memset_d8(buffers[name], filled.byte, filled.nbytes)

    def _freshen_one(self, name: str, base: DeviceMemory, target: DeviceMemory, lines: int, positions: int) -> None:
        operand = self.memory[name]
        grid = -(-operand.length // THREADS), min(operand.lines, 65535)
        self.freshen[name](grid, (THREADS, 1, 1), self.device.stream, int(base), int(target), lines, positions,
                           operand.lines, operand.length, operand.stride)  # fmt: skip

    def _project(self, chosen: list[Buffers], x: NDArray[np.float64]) -> NDArray[np.float64]:
        driver, operand = self.device.driver, self.memory["C"]
        driver.memcpy_htod(self.x, x)
        grid = -(-self.shape.M // (THREADS // 32)), 1
        strides = (operand.stride, 1) if self.interface.layout == "row" else (1, operand.stride)
        for i, buffers in enumerate(chosen):
            self.projecting(grid, (THREADS, 1, 1), self.device.stream, int(buffers["C"]), int(self.x),
                            int(self.result) + i * self.shape.M * 8, self.shape.M, self.shape.N, *strides)  # fmt: skip
        self.device.stream.synchronize()
        result = np.empty((len(chosen), self.shape.M), np.float64)
        driver.memcpy_dtoh(result, self.result)
        return result

    def _submission(self, kernels: tuple[LoadedKernel, ...]) -> Callable[[Buffers], None]:
        start = starter(self.device, kernels, self.shape)  # a reference to self would keep the sets after this bench

        return lambda buffers: start({name: int(at) for name, at in buffers.items()})

    def _library(self, library: cublas.Library) -> Callable[[Buffers], None]:
        product = cublas.product(library, self.interface, self.shape)

        return lambda buffers: product(int(buffers["A"]), int(buffers["B"]), int(buffers["C"]))

    def _device_copy(self, elements: NDArray[np.generic]) -> DeviceMemory:
        memory: DeviceMemory = self.device.driver.to_device(np.ascontiguousarray(elements))
        return memory


def _prepared(trusted: CudaModule, name: str, types: str) -> Callable[..., None]:
    """Return what queues a kernel with arguments of these types, in half the time of an ordinary call."""
    function = trusted.get_function(name)
    function.prepare(types)
    return function.prepared_async_call


def _in_order(signs: NDArray[np.int8]) -> NDArray[np.int32]:
    """The numbers from 1 on, with these signs: where the device finds each line, or position, and its sign."""
    return np.asarray(signs * np.arange(1, signs.shape[1] + 1), np.int32)


def _set_count(nbytes: int, cache: int) -> int:
    return max(LEAST_SETS, min(MOST_SETS, -(-CACHES * cache // nbytes)))
