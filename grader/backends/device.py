"""The GPU of a worker: its context, its properties, and what it says of itself while it works."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pynvml

from grader.errors import InfrastructureError
from grader.model import Backend, Machine, Telemetry

# FP32 operations of one multiprocessor in a clock, by compute capability: CUDA C++ Programming Guide, table
# "Throughput of Native Arithmetic Instructions" (one fused multiply-add is two operations).
FP32_LANES = {(7, 0): 64, (7, 2): 64, (7, 5): 64, (8, 0): 64, (8, 6): 128, (8, 7): 128, (8, 9): 128, (9, 0): 128,
              (10, 0): 128, (10, 3): 128, (12, 0): 128, (12, 1): 128}  # fmt: skip
THROTTLE = {
    pynvml.nvmlClocksEventReasonSwPowerCap: "power cap",
    pynvml.nvmlClocksEventReasonSwThermalSlowdown: "temperature",
    pynvml.nvmlClocksThrottleReasonHwSlowdown: "hardware slowdown",
    pynvml.nvmlClocksThrottleReasonHwThermalSlowdown: "hardware temperature",
    pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown: "power brake",
}


@dataclass(frozen=True, slots=True)
class Device:
    """PyCUDA's driver module, the device, the stream that everything runs on, and NVML's handle of the same device."""

    driver: Any
    cuda: Any
    stream: Any
    nvml: Any

    def attribute(self, name: str) -> int:
        return int(self.cuda.get_attribute(getattr(self.driver.device_attribute, name)))

    @property
    def capability(self) -> tuple[int, int]:
        major, minor = self.cuda.compute_capability()
        return int(major), int(minor)

    @property
    def architecture(self) -> str:
        return "sm_{}{}".format(*self.capability)


def open_device() -> Device:
    """Push the primary context of the first visible GPU. Raises InfrastructureError where there is none."""
    try:
        from pycuda import driver  # noqa: PLC0415
    except ImportError as error:
        raise InfrastructureError(f"PyCUDA cannot be loaded: {error}", "Install the package's [cuda] extra.") from error
    try:
        driver.init()
        device = driver.Device(0)
        device.retain_primary_context().push()
        pynvml.nvmlInit()
        handle = pynvml.nvmlDeviceGetHandleByPciBusId(device.pci_bus_id())
    except (driver.Error, pynvml.NVMLError) as error:
        raise InfrastructureError(f"The GPU does not answer: {error}", "Check it with nvidia-smi.") from error
    return Device(driver, device, driver.Stream(), handle)


def machine(device: Device, nvcc: str) -> Machine:
    """What a reader must know of the machine to repeat a grade."""
    versions = {
        "driver": str(pynvml.nvmlSystemGetDriverVersion()),
        "cuda driver API": ".".join(map(str, divmod(device.driver.get_driver_version() // 10, 100))),
        "nvcc": nvcc,
        **{name: _version(name) for name in ("pycuda", "nvmath-python", "nvidia-cublas", "numpy")},
        "python": platform.python_version(),
    }
    return Machine(
        Backend.CUDA, "", platform.platform(), device.cuda.name(), device.architecture, peak_gflops(device), versions
    )


def peak_gflops(device: Device) -> float | None:
    """FP32 lanes x 2 operations x the highest clock: no FP32 kernel can be faster."""
    lanes = FP32_LANES.get(device.capability)
    if lanes is None:
        return None
    clock_mhz = pynvml.nvmlDeviceGetMaxClockInfo(device.nvml, pynvml.NVML_CLOCK_SM)
    return lanes * 2 * device.attribute("MULTIPROCESSOR_COUNT") * clock_mhz / 1e3


def telemetry(device: Device) -> Telemetry:
    """Clocks, temperature and what holds the clocks down, this instant."""
    reasons = pynvml.nvmlDeviceGetCurrentClocksEventReasons(device.nvml)
    return Telemetry(
        pynvml.nvmlDeviceGetClockInfo(device.nvml, pynvml.NVML_CLOCK_SM),
        pynvml.nvmlDeviceGetClockInfo(device.nvml, pynvml.NVML_CLOCK_MEM),
        pynvml.nvmlDeviceGetTemperature(device.nvml, pynvml.NVML_TEMPERATURE_GPU),
        tuple(text for bit, text in THROTTLE.items() if reasons & bit),
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
