"""Which driver, GPU and release of CUDA fit together. Of the standard library only: `make` asks before it installs.

Sources: the release notes of CUDA 11.8 to 13.0, which name the architectures that a release adds or drops, and the
drivers that run the code of every release of a series; NVIDIA's guide "CUDA Compatibility".
"""

import functools
import re
from contextlib import suppress
from ctypes import CDLL, byref, c_int, c_void_p
from dataclasses import dataclass

Version = tuple[int, int]

DEFAULT_ARCHITECTURE = "sm_90"  # which every release from `OLDEST` on has
OLDEST = (11, 8)  # that we support
LAST = {11: (11, 8), 12: (12, 9)}  # of a series that gets no more releases
DRIVERS = {11: 450, 12: 525, 13: 580}  # the oldest that runs the code of every release of the series
ADDED = {(10, 0): (12, 8), (10, 3): (12, 9), (11, 0): (13, 0), (12, 0): (12, 8), (12, 1): (12, 9)}  # since `OLDEST`
DROPPED = {(3, 5): (11, 0), (5, 0): (12, 0), (7, 5): (13, 0)}  # all architectures before the first, in that release
EXTRAS = {"cuda": ((13, 0), (7, 5)), "cuda12": ((12, 9), (6, 0))}  # with that release, for GPUs from there on


@dataclass(frozen=True, slots=True)
class GpuWithDriver:
    """The compute capability of a GPU, and the newest release that its driver knows: the driver runs its whole series.

    `first` is the first release for the GPU, `end` the first that is too new for it or for the driver.
    """

    capability: Version
    driver: Version = (98, 0)

    @property
    def architecture(self) -> str:
        return "sm_{}{}".format(*self.capability)

    @property
    def first(self) -> Version:
        return ADDED.get(self.capability, OLDEST)

    @property
    def dropped(self) -> Version:
        return next((release for kept, release in DROPPED.items() if self.capability < kept), (99, 0))

    @property
    def end(self) -> Version:
        return min(self.dropped, (self.driver[0] + 1, 0))

    def runs(self, release: Version) -> bool:
        """Whether it runs what that release compiles and the kernels of its libraries."""
        return self.first <= release < self.end


def of_architecture(architecture: str) -> GpuWithDriver:
    """Return a GPU such as sm_90: this machine's with its driver, or another with any driver."""
    own, digits = read(), re.sub(r"\D", "", architecture)
    return own if own and own.architecture == architecture else GpuWithDriver((int(digits[:-1]), int(digits[-1])))


def release(text: str) -> Version:
    """Return the release in a version such as 12.9.86."""
    major, minor, *_ = [*map(int, re.findall(r"\d+", text)), 0, 0]
    return major, minor


def misfit(part: str, release: Version, gpu: GpuWithDriver) -> str:
    """Return why a toolkit or a library of that release is of no use, as a clause; empty if it fits."""
    if gpu.runs(release):
        return ""
    if release < gpu.first:
        return f"{part} is too old for this GPU ({gpu.architecture})" if gpu.first > OLDEST else f"{part} is too old"
    if release >= gpu.dropped:
        return f"{part} no longer supports this GPU ({gpu.architecture})"
    return f"{part} is too new for the driver, which has CUDA {text(gpu.driver)}"


def fitting(gpu: GpuWithDriver) -> str:
    """Return what fits instead, in words."""
    if gpu.dropped <= OLDEST:
        return "a newer GPU"
    newest = min(gpu.dropped[0] - 1, max(DRIVERS))  # series that the GPU can use
    driver = f"a driver from {DRIVERS[newest]} on" if gpu.driver[0] < newest else ""
    last = LAST.get(gpu.end[0] - 1)
    releases = f"CUDA {text(gpu.first)}{'' if last == gpu.first else f' to {text(last)}' if last else ' or newer'}"
    return " or ".join(filter(None, (releases if gpu.first < gpu.end else "", driver)))


def text(release: Version) -> str:
    """Return a release as people write it."""
    return "{}.{}".format(*release)


def fitting_extra(gpu: GpuWithDriver | None) -> str:
    """Return the extra of this package that fits; the first where the GPU is not known, and none where none fits."""
    for name, (release_, least) in EXTRAS.items():
        if gpu is None or (gpu.capability >= least and gpu.runs(release_)):
            return name
    return ""


@functools.cache
def read(library: str = "libnvidia-ml.so.1") -> GpuWithDriver | None:
    """Return the first GPU of this machine, as the driver's library states it, whose Python binding may be missing."""
    cuda, major, minor, device = c_int(), c_int(), c_int(), c_void_p()
    with suppress(OSError, AttributeError):  # there is no driver, or one of a time before these functions
        nvml = CDLL(library)
        failed = nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByIndex_v2(0, byref(device))
        failed = failed or nvml.nvmlSystemGetCudaDriverVersion_v2(byref(cuda))
        if not (failed or nvml.nvmlDeviceGetCudaComputeCapability(device, byref(major), byref(minor))):
            return GpuWithDriver((major.value, minor.value), (cuda.value // 1000, cuda.value % 1000 // 10))
    return None
