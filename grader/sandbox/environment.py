"""The environment variables of a worker: those that it needs to find its tools, and no secrets of a CI job."""

from __future__ import annotations

import os
from pathlib import Path

from grader.host import blas_threads

PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
PASSED_PREFIXES = ("CUDA_", "GRADER_", "NVCC_", "NVIDIA_", "LC_")


def python_path() -> tuple[str, ...]:
    """Return the folders of PYTHONPATH as absolute paths, because a worker starts in its box.

    Empty entries are left out: for Python they mean the current folder, the box, from which student files would be
    imported.
    """
    words = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return tuple(str(Path(word).resolve()) for word in words if word)


def of_worker(box: Path) -> dict[str, str]:
    """Return the judge's variables that are passed on, and those that the sandbox sets for a worker in `box`."""
    passed = {
        name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_PREFIXES)
    }
    chosen = {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # so that CUDA numbers devices as NVML does
        "TMPDIR": str(box),  # a killed compiler's files are removed with the box
    }
    if "PYTHONPATH" in passed:
        chosen["PYTHONPATH"] = os.pathsep.join(python_path())
    return {**passed, **blas_threads.ONE, **chosen}
