"""Generated functions that run blocks one after the other, and the warps of a block in a given order."""

from __future__ import annotations

from grader.ptxsim.analysis.geometry import Geometry
from grader.ptxsim.generate.ir_text import ir_text


def scheduler(geometry: Geometry, stride: int, local_at: int, shared_bytes: int) -> str:
    """Return the functions that run blocks. A warp's record has `stride` bytes; local memory starts at `local_at`."""
    warps = geometry.warps
    return (
        ir_text(
            "run",
            warps=warps,
            stride=stride,
            shared_bytes=shared_bytes,
            local_at=local_at,
            all_local_bytes=stride - local_at,
        )
        + ir_text("shuffle", last_warp=warps - 1)
        + ir_text("arrive", warps=warps, stride=stride)
        + ir_text("open_for_rest", warps=warps, stride=stride, threads=geometry.threads)
        + ir_text("run_block", warps=warps, last_warp=warps - 1, stride=stride, reverse=1, interleaved=2)
    )
