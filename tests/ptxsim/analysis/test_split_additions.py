"""Additions that consist of an atomic load and an atomic store."""

import pytest

from grader.ptxsim.analysis.graph import build
from grader.ptxsim.analysis.updates import split_additions
from grader.ptxsim.engine.program import entry
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.hostile import program

LOAD = "ld.relaxed.gpu.b32 %r8, [%d2+4];"
ADD = "mov.b32 %f4, %r8; add.f32 %f5, %f4, %f6; mov.b32 %r10, %f5;"
STORE = "st.relaxed.gpu.b32 [%d2+4], %r10;"
SWAP = "atom.global.cas.b32 %r11, [%d2+4], %r8, %r10;"
EXCHANGE = "atom.global.exch.b32 %r11, [%d2+4], %r10;"
USED = "st.global.u32 [%d4], %r11;"
DECIDES = "setp.ne.s32 %p1, %r8, 5; @%p1 bra out; mov.u32 %r7, 1; out: mov.u32 %r4, 0;"


def found(body: str) -> tuple[int, int]:
    """How many loads and stores belong to such additions."""
    module = parse(program(body), "submission.cu")
    additions = split_additions(build(entry(module, module.functions[0].name)))
    return len(additions.loads), len(additions.stores)


@pytest.mark.parametrize(
    "body",
    [
        LOAD + ADD + STORE,
        LOAD + ADD + EXCHANGE,
        LOAD + ADD + SWAP,
        LOAD + ADD + "add.s64 %d9, %d2, 4; st.release.gpu.b32 [%d9], %r10;",
        "atom.global.add.u32 %r8, [%d2+4], 0;" + ADD + STORE,
        "atom.global.add.f32 %f4, [%d2+4], 0f00000000; add.f32 %f5, %f4, %f6; mov.b32 %r10, %f5;" + EXCHANGE,
    ],
    ids=["store", "exchange", "swap that may fail", "address computed", "adds zero", "adds 0.0f"],
)
def test_a_sum_stored_where_its_first_part_was_loaded_is_one(body: str) -> None:
    assert found(body) == (1, 1)


@pytest.mark.parametrize(
    "body",
    [
        LOAD + ADD + "st.relaxed.gpu.b32 [%d2+8], %r10;",
        LOAD + ADD + STORE + "st.global.u32 [%d4], %r8;",
        LOAD + ADD + STORE + DECIDES,
        LOAD + ADD + EXCHANGE + USED,
        LOAD + "mov.u32 %r10, %r8;" + STORE,
        LOAD + "mov.u32 %r10, 1;" + STORE,
        LOAD + "max.s32 %r10, %r8, %r5;" + STORE,
        LOAD + ADD + SWAP + USED,
        "atom.global.add.u32 %r8, [%d2+4], 1;" + ADD + STORE,
        "ld.global.u32 %r8, [%d2+4];" + ADD + "st.global.u32 [%d2+4], %r10;",
    ],
    ids=[
        *("elsewhere", "also kept", "also decides", "exchange that is used", "no addition", "constant", "maximum"),
        *("swap", "adds one", "not atomic"),
    ],
)
def test_other_uses_of_a_loaded_value_are_none(body: str) -> None:
    assert found(body) == (0, 0)
