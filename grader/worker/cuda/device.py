"""The GPU of a worker: its context, its attributes and bandwidth, and its clocks and temperature while it runs."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from types import ModuleType

import numpy as np
import pynvml

from grader.contract.messages import Surveyed
from grader.errors import InfrastructureError
from grader.host import nvml, timeline
from grader.model import Telemetry
from grader.model.watched import DriverError, DriverFailed
from grader.worker.cuda.pycuda_types import CudaDevice, CudaModule, Stream

# The default of 8 MiB is 31 bytes for each resident thread of an H200: correct kernels with malloc fail by chance.
# Host code, which never runs here, can ask for more. Only modules that call malloc get a heap.
HEAP_BYTES = 256 << 20

THROTTLE = {
    pynvml.nvmlClocksEventReasonSwPowerCap: "power cap",
    pynvml.nvmlClocksEventReasonSwThermalSlowdown: "temperature",
    pynvml.nvmlClocksThrottleReasonHwSlowdown: "hardware slowdown",
    pynvml.nvmlClocksThrottleReasonHwThermalSlowdown: "hardware temperature",
    pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown: "power brake",
}
# CUDA's names of the attributes that students list in their tables, and those that the theoretical bandwidth needs.
ATTRIBUTES = ("MULTIPROCESSOR_COUNT", "WARP_SIZE", "MAX_THREADS_PER_BLOCK", "MAX_THREADS_PER_MULTIPROCESSOR",
              "MAX_SHARED_MEMORY_PER_BLOCK", "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
              "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
              "MAX_REGISTERS_PER_BLOCK", "MAX_REGISTERS_PER_MULTIPROCESSOR", "L2_CACHE_SIZE", "CLOCK_RATE",
              "MEMORY_CLOCK_RATE", "GLOBAL_MEMORY_BUS_WIDTH", "MAX_BLOCK_DIM_X", "MAX_BLOCK_DIM_Y", "MAX_BLOCK_DIM_Z",
              "MAX_GRID_DIM_X", "MAX_GRID_DIM_Y", "MAX_GRID_DIM_Z")  # fmt: skip
CACHES = 16  # size of a copy over the L2 cache, so that at most a sixteenth of it hits the cache
LARGEST = 1 << 30
ROUNDS = 30
COPIES = 4  # in a round, back to back behind the gate
WARM_ROUNDS = 5
THREADS = 256
LONGEST = 1000  # characters of a message


@dataclass(frozen=True, slots=True)
class Device:
    """PyCUDA's driver module, the device, and the stream that everything runs on."""

    driver: ModuleType
    cuda: CudaDevice
    stream: Stream

    def attribute(self, name: str) -> int:
        return int(self.cuda.get_attribute(getattr(self.driver.device_attribute, name)))

    @property
    def capability(self) -> tuple[int, int]:
        major, minor = self.cuda.compute_capability()
        return int(major), int(minor)

    @property
    def architecture(self) -> str:
        major, minor = self.capability
        return f"sm_{major}{minor}"


def open_device() -> Device:
    """Push the primary context of the first visible GPU. Raises InfrastructureError if there is none."""
    try:
        with timeline.span("import PyCUDA"):
            from pycuda import driver
    except ImportError as error:
        raise InfrastructureError(f"PyCUDA cannot be loaded: {error}", "Install the package's [cuda] extra.") from error
    try:
        driver.init()
        with timeline.span("create the context"):
            device = driver.Device(0)
            device.retain_primary_context().push()
            driver.Context.set_limit(driver.limit.MALLOC_HEAP_SIZE, HEAP_BYTES)
        atexit.register(driver.Context.pop)  # PyCUDA aborts the process where a context is left on its stack
        return Device(driver, device, driver.Stream())
    except driver.Error as error:
        raise InfrastructureError(f"The GPU does not answer: {error}.", "Check it with nvidia-smi.") from error


def telemetry(device: Device) -> Telemetry:
    """Clocks, temperature and what limits the clocks at this moment. The first call takes longer."""
    handle = _management(device.cuda.pci_bus_id())
    reasons = _limits(handle)
    return Telemetry(
        pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_SM),
        pynvml.nvmlDeviceGetClockInfo(handle, pynvml.NVML_CLOCK_MEM),
        pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU),
        tuple(text for bit, text in THROTTLE.items() if reasons & bit),
    )


def _limits(handle: object) -> int:
    try:
        return int(pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle))
    except pynvml.NVMLError_FunctionNotFound:  # by drivers before 535
        return int(pynvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle))


@cache
def _management(pci_bus_id: str) -> object:
    """NVML's handle of a device, for as long as the worker lives."""
    with ExitStack() as management:
        handle: object = management.enter_context(nvml.session()).nvmlDeviceGetHandleByPciBusId(pci_bus_id)
        atexit.register(management.pop_all().close)
        return handle


def survey(device: Device, trusted: CudaModule) -> Surveyed:
    """The device's attributes, and the seconds of `ROUNDS` copies, each the mean of a few back to back."""
    free, total = device.driver.mem_get_info()
    size = min(LARGEST, CACHES * device.attribute("L2_CACHE_SIZE"), free // 4) // 16 * 16
    attributes = {name: device.attribute(name) for name in ATTRIBUTES}
    seconds = tuple(_copies(device, trusted, size))[WARM_ROUNDS:]
    return Surveyed({**attributes, "TOTAL_MEMORY": total}, 2 * size, seconds)


def _copies(device: Device, trusted: CudaModule, size: int) -> Iterator[float]:
    driver, stream = device.driver, device.stream
    source, target = driver.mem_alloc(size), driver.mem_alloc(size)
    driver.memset_d32(source, 0x3F800000, size // 4)
    flag = driver.pagelocked_empty(1, np.uint32, mem_flags=driver.host_alloc_flags.DEVICEMAP)
    gate, copy, words = trusted.get_function("gate"), trusted.get_function("copy"), size // 16
    for _ in range(WARM_ROUNDS + ROUNDS):
        before, after = driver.Event(), driver.Event()
        flag[0] = 0
        gate(np.uint64(flag.base.get_device_pointer()), block=(1, 1, 1), grid=(1, 1), stream=stream)
        before.record(stream)
        for _ in range(COPIES):
            copy(source, target, np.uint64(words), block=(THREADS, 1, 1), grid=(-(-words // THREADS), 1), stream=stream)
        after.record(stream)
        flag[0] = 1
        after.synchronize()
        yield after.time_since(before) / 1e3 / COPIES


def driver_failed(message: str) -> DriverFailed:
    """Return the error of a driver's message: the first whose words it contains."""
    error = next(error for error in DriverError if error in message)
    return DriverFailed(error, message[:LONGEST])
