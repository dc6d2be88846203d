"""Headers that belong to another system or project, by what they are: what to try where one is missing. Pure."""

from __future__ import annotations

WINDOWS = ("windows.h", "conio.h", "direct.h", "io.h", "process.h", "winsock2.h", "tchar.h", "intrin.h")
FOLDERS = {"torch": "PyTorch", "ATen": "PyTorch", "c10": "PyTorch", "cutlass": "CUTLASS", "cute": "CUTLASS"}
FOLDERS |= {"Eigen": "Eigen", "opencv2": "OpenCV", "boost": "Boost", "gtest": "GoogleTest", "pybind11": "pybind11"}


def hint(header: str) -> str:
    """Return what to try; empty for a header that nothing is known of."""
    if header.casefold() in WINDOWS:
        return f"{header} is a header of Windows: write #ifdef _WIN32 above what needs it, and #endif below."
    project = FOLDERS.get(header.partition("/")[0])
    return f"It is a header of {project}, which is not part of the lab: leave out what needs it." if project else ""
