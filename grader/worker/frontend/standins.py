"""Headers for host libraries, searched after all others, and for what later versions of CUDA have removed."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).with_name("standins")
NVRTC_FOLDER = Path(__file__).with_name("standins_nvrtc")  # it has no host's headers, and kernels need none of them
# How the names of each library begin, so that an error about one of them is recognised.
NAMES = re.compile(
    r"\b(cublas|curand|cufft|cusparse|cusolver|cudnn|nvml|nvtx|cuProfiler|cudaProfiler|cupti|nccl|checkCudaErrors|"
    r"getLastCudaError|findCudaDevice|gpuGetMaxGflops|sdk[A-Z]|StopWatch|getCmdLine|checkCmdLine|cblas_|Cblas|mkl_|"
    r"MKL_|MPI_|wb[A-Z]|gpuTK)",
    re.IGNORECASE,
)
REMOVED = re.findall(r"^// \d+\.\d+: (.+)$", (FOLDER / "removed.h").read_text(encoding="utf-8"), re.MULTILINE)
REMOVED_NAMES = re.compile(rf"\b(?:{'|'.join(' '.join(REMOVED).split())})\b".encode())
DEPENDENCY = re.compile(rf"{re.escape(str(FOLDER))}/(?!lab_)(\S+)")


def names_a_library(text: str) -> bool:
    """Whether an error message speaks of something that one of these libraries declares."""
    return NAMES.search(text) is not None


def used(dependencies: str) -> tuple[str, ...]:
    """The stand-ins among the files that `nvcc -M` lists."""
    return tuple(dict.fromkeys(DEPENDENCY.findall(dependencies)))


def header(content: bytes) -> tuple[str, ...]:
    """Return the flag that declares what CUDA has removed, if the file has one of these names."""
    return ("-include=removed.h",) if REMOVED_NAMES.search(content) else ()
