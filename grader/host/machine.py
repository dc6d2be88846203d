"""Which backend this machine grades with, and why; what it lacks for a GPU."""

import os
import platform
from collections.abc import Iterator
from ctypes import CDLL
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from grader.errors import InfrastructureError
from grader.host import cuda_versions, installation, nvml
from grader.host.compilers import find_compiler
from grader.model import Backend, Machine

DRIVER = "libcuda.so.1"
CUBLAS = "nvidia-cublas", "nvidia-cublas-cu12"  # of the two, Python loads the first
UNKNOWN = "unknown"  # the version of what is not a Python package
PACKAGES = {"pycuda": "PyCUDA", "nvmath": "nvmath-python", "cuda.bindings": "cuda-bindings", "pynvml": "nvidia-ml-py"}
INSTALL_LLVMLITE = "pip install llvmlite"
REQUESTED = "it was requested"


@dataclass(frozen=True, slots=True)
class Missing:
    """A part that a backend lacks here: the problem as a clause, and the line that fixes it."""

    part: str
    problem: str
    fix: str


def choose(wanted: Backend | None) -> Machine:
    """The machine with the requested backend, or with the first of the table that works here.

    Raises InfrastructureError when the requested backend does not work here.
    """
    missing = {backend: missing_for(backend) for backend in ([wanted] if wanted else Backend)}
    problems = [problem for each in missing.values() for problem in each]
    if wanted and problems:
        hint = problems[0].fix + ("; or grade with --backend simulator." if wanted.capabilities.uses_gpu else ".")
        what = "There is no usable GPU" if wanted.capabilities.uses_gpu else f"--backend {wanted} does not work"
        raise InfrastructureError(f"{what} here: {problems[0].problem}.", hint)
    backend = next((backend for backend in missing if not missing[backend]), None)
    if backend is None:
        least = list(missing.values())[-1][0]  # of the backend that needs the least
        raise InfrastructureError(f"Nothing can grade here: {least.problem}.", f"{least.fix}.")
    return describe(backend, REQUESTED if wanted else problems[0].problem if problems else "there is a GPU")


def missing_for(backend: Backend) -> tuple[Missing, ...]:
    """What a backend lacks here, the most basic first. Loads no more than NVML's binding."""
    if backend.capabilities.uses_gpu:
        return _missing_for_gpu(backend)
    missing = _missing_compiler() if backend.capabilities.executes_ptx else []
    if backend.capabilities.executes_ptx and not _installed("llvmlite"):
        missing.append(Missing("llvmlite", "llvmlite is not installed", INSTALL_LLVMLITE))
    return tuple(missing)


def _loads(library: str) -> bool:
    """Whether the dynamic linker finds the library. `ctypes.util.find_library` would start a compiler."""
    try:
        CDLL(library)
    except OSError:
        return False
    return True


def _missing_for_gpu(backend: Backend) -> tuple[Missing, ...]:
    if not _loads(DRIVER):  # what else a GPU needs is of no use then
        driver = "no NVIDIA driver is installed", "With an NVIDIA GPU, install it: https://www.nvidia.com/drivers"
        return (Missing("NVIDIA driver", *driver),)
    missing = _missing_compiler()
    if packages := [package for module, package in PACKAGES.items() if not _installed(module)]:
        install = installation.install(cuda_versions.fitting_extra(cuda_versions.read()) or "cuda")
        missing += [Missing(package, f"{package} is not installed", install) for package in packages]
    if missing:
        return tuple(missing)
    try:
        return tuple(misfits(describe(backend, "")))
    except InfrastructureError as error:
        return (_missing("GPU", error),)


def misfits(gpu: Machine) -> Iterator[Missing]:
    """The compiler and cuBLAS, where they do not fit the GPU and its driver."""
    own = replace(cuda_versions.of_architecture(gpu.architecture), driver=cuda_versions.release(gpu.versions["cuda"]))
    fits, extra = cuda_versions.fitting(own), cuda_versions.fitting_extra(own)
    parts = (
        ("CUDA compiler", gpu.versions["compiler"], f"It takes {fits}; CUDA_ROOT says where a toolkit is"),
        ("cuBLAS", f"cuBLAS {gpu.versions[CUBLAS[0]]}", installation.install(extra) if extra else f"It takes {fits}"),
    )
    for part, label, fix in parts:
        if UNKNOWN not in label and (problem := cuda_versions.misfit(label, cuda_versions.release(label), own)):
            yield Missing(part, problem, fix)


def _missing_compiler() -> list[Missing]:
    """The compiler, if there is none that works."""
    try:
        find_compiler()
    except InfrastructureError as error:
        return [_missing("CUDA compiler", error)]
    return []


def _missing(part: str, error: InfrastructureError) -> Missing:
    return Missing(part, error.sentence[:1].lower() + error.sentence[1:].rstrip("."), error.hint.rstrip("."))


def describe(backend: Backend, reason: str) -> Machine:
    """The device and this machine's compilers for it. Raises InfrastructureError when one of them is missing."""
    device = describe_device(backend, reason)
    versions = device.versions
    if backend.capabilities.executes_ptx:
        versions = {"compiler": find_compiler().label, **versions, **_versions("llvmlite")}
    if backend.capabilities.uses_gpu:
        packages = _versions("pycuda", "nvmath-python", "numpy")
        cublas = next((found for name in CUBLAS if (found := _version(name)) != UNKNOWN), UNKNOWN)
        versions = {"compiler": find_compiler(device.architecture).label, **versions, **packages, CUBLAS[0]: cublas}
    return replace(device, versions=versions)


def describe_device(backend: Backend, reason: str) -> Machine:
    """The device alone, as for workers in containers, which have compilers of their own."""
    if backend.capabilities.uses_gpu:
        return _with_gpu(Machine(backend, reason, platform.platform()))
    processor = f"{os.cpu_count()} CPUs ({platform.processor() or platform.machine()})"
    return Machine(backend, reason, platform.platform(), processor, versions=_versions("numpy"))


def _with_gpu(machine: Machine) -> Machine:
    """The machine with its first visible GPU. Raises InfrastructureError."""
    with nvml.session() as library:
        gpu = nvml.first_visible(library)
        major, minor = library.nvmlDeviceGetCudaComputeCapability(gpu)
        cuda = library.nvmlSystemGetCudaDriverVersion()
        # Peak: CUDA cores x one fused multiply-add, two operations, a clock x the highest clock.
        clock_mhz = library.nvmlDeviceGetMaxClockInfo(gpu, library.NVML_CLOCK_SM)
        return replace(
            machine,
            device=str(library.nvmlDeviceGetName(gpu)),
            architecture=f"sm_{major}{minor}",
            peak_gflops=float(library.nvmlDeviceGetNumGpuCores(gpu) * 2 * clock_mhz / 1e3),
            versions={
                "driver": str(library.nvmlSystemGetDriverVersion()),
                "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}",
            },
        )


def _versions(*packages: str) -> dict[str, str]:
    return {"python": platform.python_version(), **{name: _version(name) for name in packages}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return UNKNOWN


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that the module is in
        return False
