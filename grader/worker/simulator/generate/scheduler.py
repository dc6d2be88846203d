"""Generated functions that run blocks one after the other, and the warps of a block in a given order."""

from __future__ import annotations

from grader.worker.simulator.analysis.geometry import Geometry
from grader.worker.simulator.generate.ir_text import ir_text

FORWARD, REVERSE, INTERLEAVED = 0, 1, 2
FRESH = 0xFF  # the byte of a block's fresh shared and local memory: a NaN in every float format
FRESH_TRACED = (
    0x41  # in traced code, a finite number: a result that differs from the one with FRESH depends on unset memory
)


def fresh_byte(*, traced: bool) -> int:
    """Return the byte that fills a block's fresh shared and local memory."""
    return FRESH_TRACED if traced else FRESH


def scheduler(geometry: Geometry, stride: int, local_at: int, shared_bytes: int, fresh: int) -> str:
    """Return the functions that run blocks. A warp's record has `stride` bytes; local memory starts at `local_at`."""
    warps = geometry.warps
    return (
        ir_text(
            "run",
            warps=warps,
            stride=stride,
            shared_bytes=shared_bytes,
            fresh=fresh,
            local_at=local_at,
            all_local_bytes=stride - local_at,
        )
        + ir_text("shuffle", last_warp=warps - 1)
        + ir_text("arrive", warps=warps, stride=stride)
        + ir_text("open_for_rest", warps=warps, stride=stride, threads=geometry.threads)
        + ir_text(
            "run_block", warps=warps, last_warp=warps - 1, stride=stride, reverse=REVERSE, interleaved=INTERLEAVED
        )
    )
