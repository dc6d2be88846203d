"""The part of the generated module that is the same for every kernel: checked accesses lane by lane, and faults."""

from __future__ import annotations

from grader.ptxsim.generate import copy_list, traces
from grader.ptxsim.generate.code import PlacedKernel
from grader.ptxsim.generate.ir_text import ir_text

DECLARED = (
    "declare i32 @llvm.cttz.i32(i32, i1)",
    "declare i64 @llvm.umin.i64(i64, i64)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "declare i32 @llvm.ctpop.i32(i32)",
)


def runtime(*, traced: bool = False, copies: bool = False) -> str:
    """Return the functions that every module contains.

    Those of `traced` code append accesses to a trace; a kernel with asynchronous `copies` needs the functions for them.
    """
    resolve = ir_text("resolve", segment=ir_text("segment", address="%b"))
    more = (traces.functions() if traced else "", copy_list.functions(traced=traced) if copies else "")
    return "".join((*map(ir_text, ("faults", "local_row", "preload")), resolve, *more))


def scheduler(kernel: PlacedKernel, stride: int, local_at: int) -> str:
    """Return the functions that run blocks. A warp's record has `stride` bytes; local memory starts at `local_at`."""
    geometry = kernel.facts.geometry
    warps = geometry.warps
    return (
        ir_text(
            "run",
            warps=warps,
            stride=stride,
            shared_bytes=kernel.shared_bytes,
            reserved_bytes=kernel.reserved_bytes,
            local_at=local_at,
            all_local_bytes=stride - local_at,
        )
        + ir_text("arrive", warps=warps, stride=stride)
        + ir_text("open_for_rest", warps=warps, stride=stride, threads=geometry.threads)
        + ir_text("run_block", warps=warps, last_warp=warps - 1, stride=stride, reverse=1)
    )
