"""What to try where an asynchronous copy is used before its thread has waited for it, in words for a student."""

from __future__ import annotations

from grader.ptxsim.records.races import EarlyUse


def of_early_use(found: EarlyUse) -> str:
    """Return what to try against a use of a copy before the wait for it."""
    copy, use = found.copy.line, found.use.line
    if found.by_objects:
        return (
            "An arrival speaks only for the copies that its thread has started before it, and only if it is "
            f"cp.async.mbarrier.arrive or __pipeline_arrive_on(): put one behind line {copy}, and let line {use} come "
            "after a wait for that phase."
        )
    if not found.is_committed:
        return (
            f"A wait is for groups of copies, and the copy in line {copy} belongs to none yet: call "
            "__pipeline_commit() behind the copies of each step, and wait for their group before the tile is used."
        )
    if found.is_awaited and found.user_has_waited:
        return (
            "A wait is for the copies of its own thread only, and other threads may not have got there yet: put a "
            f"__syncthreads() between the wait and line {use}."
        )
    if found.is_awaited:
        return (
            "The wait comes too late, or leaves too many groups in flight: __pipeline_wait_prior(n) waits for all "
            f"groups except the last n. Wait for this group before line {use}, then call __syncthreads()."
        )
    if found.others_wait:
        return (
            "A thread waits for its own copies only: let every thread wait (__pipeline_wait_prior), and put a "
            "__syncthreads() after the wait."
        )
    return (
        "A barrier does not wait for asynchronous copies: let every thread wait for its own (__pipeline_wait_prior(0), "
        "cp.async.wait_all or wait() of cooperative groups), and put a __syncthreads() after the wait."
    )
