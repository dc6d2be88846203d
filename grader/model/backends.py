"""The one list of backends, and of what each of them can do; and what a worker of one is started for.

The value of a `Backend` names its folder in `worker/`. The first that works on a machine is the default there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a backend offers and what it needs. With the defaults it checks whole launches on the CPU."""

    uses_gpu: bool = False  # an NVIDIA GPU, which NVML describes, cuBLAS computes on and Nsight Compute profiles
    executes_ptx: bool = False  # the output of NVIDIA's compiler, on the CPU: needs the compiler and llvmlite
    needs_device_lock: bool = False  # two grades on one device would disturb each other's timing
    measures_speed: bool = False
    shares_out_blocks: bool = False  # computes slowly: both runs of a size share the blocks of a large launch
    reverses_threads: bool = False  # can run the threads of a block in reverse order, which exposes races
    traced_by: str = ""  # the backend that can run a launch checked, which finds races and reads of unset memory
    has_sanitizer: bool = False  # can run a launch under compute-sanitizer if `traced_by` does not support the kernel
    counts_accesses: bool = False  # can count the accesses of a launch to memory, for advice
    limit_grows_with_size: bool = False  # computes slowly: the seconds of a case grow with its flops
    limits_itself: bool = False  # counts the CPU time of a case, and reports where the kernel was at the limit


CHECKS_ONLY = Capabilities()


class Backend(StrEnum):
    """Where the kernel runs."""

    capabilities: Capabilities

    def __new__(cls, name: str, capabilities: Capabilities = CHECKS_ONLY) -> Backend:
        """Make a member that equals its name and carries its capabilities."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.capabilities = capabilities
        return member

    CUDA = "cuda", Capabilities(
        uses_gpu=True, needs_device_lock=True, measures_speed=True, traced_by="simulator", has_sanitizer=True,
    )  # fmt: skip
    SIMULATOR = "simulator", Capabilities(
        executes_ptx=True, shares_out_blocks=True, reverses_threads=True, counts_accesses=True,
        limit_grows_with_size=True, limits_itself=True, traced_by="simulator",
    )  # fmt: skip

    @property
    def tracer(self) -> Backend | None:
        """The backend that runs checked launches of the kernels that this one compiles: itself, another, or none."""
        return Backend(self.capabilities.traced_by) if self.capabilities.traced_by else None


class Purpose(StrEnum):
    """A worker compiles, or it runs kernels, and never both. One that times needs more of the device's libraries."""

    COMPILE = "compile"
    EXECUTE = "execute"
    TIME = "time"


WITHOUT_GPU = Backend.SIMULATOR  # grades on every machine
