"""The GPU of a worker: its context, its attributes, and its clocks and temperature while it runs."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from types import ModuleType

import pynvml

from grader.errors import InfrastructureError
from grader.host import nvml, timeline
from grader.model import Telemetry
from grader.worker.cuda.pycuda_types import CudaDevice, Stream

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
