"""Which backend this machine has, and why. Looks at the GPU through NVML, which opens no context on it."""

from __future__ import annotations

import os
import platform
from ctypes.util import find_library
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.errors import InfrastructureError
from grader.host import cxx_compiler, toolkit
from grader.model import Backend, Machine

PACKAGES = {"pycuda": "PyCUDA", "nvmath": "nvmath-python", "cuda.bindings": "cuda-bindings", "pynvml": "nvidia-ml-py"}
INSTALL_EXTRA = "pip install 'matmul-grader[cuda]'"


@dataclass(frozen=True, slots=True)
class Missing:
    """What the CUDA backend lacks here, in words, and the line that mends it."""

    part: str
    what: str
    mend: str


def choose(wanted: Backend | None) -> Machine:
    """The machine with the backend that was asked for, or with the GPU where there is one and the simulator otherwise.

    Raises InfrastructureError when the backend that was asked for is not to be had.
    """
    missing = missing_for_cuda()
    if wanted is Backend.CUDA and missing:
        hint = f"{missing[0].mend}; or grade with --backend simulator."
        raise InfrastructureError(f"There is no usable GPU here: {missing[0].what}.", hint)
    if wanted is Backend.SIMULATOR:
        return simulator("it was asked for")
    if missing:
        return simulator(missing[0].what)
    return replace(gpu(), reason="it was asked for" if wanted else "there is a GPU")


def missing_for_cuda() -> tuple[Missing, ...]:
    """What the CUDA backend lacks here, the most basic first. Loads none of it but NVML's binding."""
    found = []
    if find_library("cuda") is None:
        found.append(
            Missing("NVIDIA driver", "no NVIDIA driver is installed", "Install it: https://www.nvidia.com/drivers")
        )
    if toolkit.find() is None:
        found.append(
            Missing("nvcc", "nvcc is not installed", "Install the CUDA toolkit, or set CUDA_ROOT to where it is")
        )
    for module, package in PACKAGES.items():
        if not _installed(module):
            found.append(Missing(package, f"{package} is not installed", INSTALL_EXTRA))
    if not found:
        try:
            gpu()
        except InfrastructureError as error:
            found.append(Missing("GPU", error.sentence, error.hint))
    return tuple(found)


def simulator(reason: str) -> Machine:
    """The processor of this machine. Raises InfrastructureError where no C++ compiler is installed."""
    found = processor(reason)
    return replace(found, versions={"compiler": cxx_compiler.find_compiler().label, **found.versions})


def processor(reason: str) -> Machine:
    """The processor alone: what compiles for it is elsewhere."""
    return Machine(Backend.SIMULATOR, reason, platform.platform(), _processor(), versions=_versions("numpy"))


def gpu() -> Machine:
    """The first GPU that is visible, with this machine's toolkit. Raises InfrastructureError."""
    found = driven_gpu()
    ours = {"nvcc": nvcc_version(), **_versions("pycuda", "nvmath-python", "nvidia-cublas", "numpy")}
    return replace(found, versions={**found.versions, **ours})


def driven_gpu() -> Machine:
    """The first GPU that is visible, as its driver knows it: the toolkit is elsewhere. Raises InfrastructureError."""
    pynvml = _nvml()
    try:
        pynvml.nvmlInit()
        handle = _visible(pynvml)
        major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(handle)
        cuda = pynvml.nvmlSystemGetCudaDriverVersion()
        driver = str(pynvml.nvmlSystemGetDriverVersion())
        versions = {"driver": driver, "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}"}
        name, peak = str(pynvml.nvmlDeviceGetName(handle)), _peak_gflops(pynvml, handle)
    except pynvml.NVMLError as error:
        raise InfrastructureError(f"the GPU does not answer: {error}", "Check it with nvidia-smi") from error
    return Machine(Backend.CUDA, "", platform.platform(), name, f"sm_{major}{minor}", peak, versions)


def gpu_id() -> str:
    """What names that GPU to a container engine. Raises InfrastructureError."""
    pynvml = _nvml()
    try:
        pynvml.nvmlInit()
        return str(pynvml.nvmlDeviceGetUUID(_visible(pynvml)))
    except pynvml.NVMLError as error:
        raise InfrastructureError(f"the GPU does not answer: {error}", "Check it with nvidia-smi") from error


def visible_gpus() -> tuple[str, ...]:
    """Every GPU that is visible, as CUDA_VISIBLE_DEVICES names it. Raises InfrastructureError."""
    import pynvml  # part of the [cuda] extra

    named = [one.strip() for one in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if one.strip()]
    if named:
        return tuple(named)
    try:
        pynvml.nvmlInit()
        return tuple(str(number) for number in range(pynvml.nvmlDeviceGetCount()))
    except pynvml.NVMLError as error:
        raise InfrastructureError(f"the GPU does not answer: {error}", "Check it with nvidia-smi") from error


def nvcc_version() -> str:
    """The release of the nvcc that would be used, and where it is. Raises InfrastructureError."""
    found = toolkit.find()
    if found is None:
        raise InfrastructureError("nvcc is not installed", "Install the CUDA toolkit, or set CUDA_ROOT to where it is")
    return f"{toolkit.version(found, Path.cwd())} ({found})"


def _nvml() -> Any:
    try:
        import pynvml  # part of the [cuda] extra
    except ModuleNotFoundError as error:
        raise InfrastructureError("nvidia-ml-py is not installed", "pip install nvidia-ml-py") from error
    return pynvml


def _peak_gflops(nvml: Any, handle: Any) -> float:
    """CUDA cores x one fused multiply-add, two operations, a clock x the highest clock: no FP32 kernel is faster."""
    clock_mhz = nvml.nvmlDeviceGetMaxClockInfo(handle, nvml.NVML_CLOCK_SM)
    return float(nvml.nvmlDeviceGetNumGpuCores(handle) * 2 * clock_mhz / 1e3)


def _visible(nvml: Any) -> Any:
    """The device that CUDA calls number 0; CUDA_VISIBLE_DEVICES names devices by number or by UUID."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip()
    if first and not first.isdigit():
        return nvml.nvmlDeviceGetHandleByUUID(first)
    return nvml.nvmlDeviceGetHandleByIndex(int(first or 0))


def _processor() -> str:
    return f"{os.cpu_count()} x {platform.processor() or platform.machine()}"


def _versions(*packages: str) -> dict[str, str]:
    return {"python": platform.python_version(), **{name: _version(name) for name in packages}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that the module is in
        return False
