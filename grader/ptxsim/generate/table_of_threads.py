"""What threads do together, and calls that leave the kernel (PTX ISA, "Parallel Synchronization ... Instructions")."""

from __future__ import annotations

from grader.ptxsim.generate import mbarriers, shuffles, system, warps
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.table_words import SCOPE, SHARED
from grader.ptxsim.generate.variants import ANY, Translate
from grader.ptxsim.syntax.records import Instruction

_OBJECT = f"[{SHARED}] b64"


def may_leave(code: Code, instruction: Instruction) -> None:
    """A warp may let others run here, so that `generate/kernel.py` writes the code, which has to save registers."""
    raise ValueError(f"block {code.block}: {instruction.name}")


TABLE: dict[Translate, str] = {
    shuffles.shuffle: "shfl [sync] up|down|bfly|idx b32",
    warps.vote: """
        vote [sync] all|any|uni pred
        vote [sync] ballot b32
        """,
    warps.active_mask: "activemask b32",
    warps.reduce: """
        redux sync add|min|max u32|s32
        redux sync and|or|xor b32
        """,
    warps.match: "match any|all sync b32|b64",
    warps.elect: "elect sync",
    warps.synchronise: "bar warp sync",
    may_leave: f"""
        bar [cta] sync|arrive
        bar [cta] red popc u32
        bar [cta] red and|or pred
        barrier [cta] sync|arrive [aligned]
        barrier [cta] red popc [aligned] u32
        barrier [cta] red and|or [aligned] pred
        barrier_result {ANY}
        mbarrier test_wait|try_wait [parity] [acquire|relaxed] {SCOPE} {_OBJECT}
        """,
    mbarriers.operation: f"""
        mbarrier init|inval {_OBJECT}
        mbarrier arrive|arrive_drop [release|relaxed] {SCOPE} {_OBJECT}
        mbarrier arrive|arrive_drop noComplete [release] [cta] {_OBJECT}
        mbarrier arrive expect_tx [release|relaxed] {SCOPE} {_OBJECT}
        mbarrier expect_tx|complete_tx [relaxed] {SCOPE} {_OBJECT}
        mbarrier pending_count b64
        """,
    # All accesses happen in order, and no other kernel runs.
    warps.nothing: """
        membar cta|gl|sys
        membar proxy alias
        fence [sc|acq_rel|acquire|release] cta|cluster|gpu|sys
        fence proxy alias|async
        fence proxy async global|shared::cta|shared::cluster
        fence mbarrier_init release cluster
        nanosleep u32
        griddepcontrol launch_dependents|wait
        pmevent [mask]
        setmaxnreg inc|dec sync aligned u32
        """,
    system.trap: "trap|brkpt|overflow",
    system.assertion: "assert",
    system.print_: "print",
    system.allocate: "malloc",
    system.release: "free",
}
