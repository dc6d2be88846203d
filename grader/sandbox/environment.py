"""The environment of a worker: what it needs to find its tools, without the secrets of a CI job."""

from __future__ import annotations

import os
from pathlib import Path

from grader.host import blas_threads

PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
PASSED_PREFIXES = ("CUDA_", "GRADER_", "NVCC_", "NVIDIA_", "LC_")


def python_path() -> tuple[str, ...]:
    """Return the folders that PYTHONPATH names. A worker starts in its box, where relative ones would lead elsewhere.

    An empty entry names no folder: as the current one, students' files would be among the packages.
    """
    words = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return tuple(str(Path(word).resolve()) for word in words if word)


def of_worker(box: Path) -> dict[str, str]:
    """Return the variables of the judge that are passed on, and those that are the same for every worker."""
    passed = {
        name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_PREFIXES)
    }
    chosen = {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # as NVML numbers devices
        "TMPDIR": str(box),  # files of a killed compiler are removed with the box
    }
    if "PYTHONPATH" in passed:
        chosen["PYTHONPATH"] = os.pathsep.join(python_path())
    return {**passed, **blas_threads.ONE, **chosen}
