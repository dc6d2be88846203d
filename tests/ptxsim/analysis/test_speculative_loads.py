"""Loads that speculate on the old value for atom.cas."""

import pytest

from grader.ptxsim.analysis.updates import SPECULATIVE, with_speculative_loads
from grader.ptxsim.engine.program import entry
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Instruction
from tests.ptxsim.hostile import program

ADD = """
ld.global.u32 %r1, [%d2+4];
again: mov.b32 %f1, %r1; add.f32 %f2, %f1, %f3; mov.b32 %r2, %f2;
atom.global.cas.b32 %r3, [%d9], %r1, %r2;
setp.ne.s32 %p1, %r3, %r1; mov.u32 %r1, %r3; @%p1 bra again;
"""
IF_LARGER = """
ld.volatile.global.u32 %r1, [%d2+4];
again: setp.ge.s32 %p2, %r1, %r2; @%p2 bra done;
atom.global.cas.b32 %r3, [%d9], %r1, %r2;
setp.ne.s32 %p1, %r3, %r1; mov.u32 %r1, %r3; @%p1 bra again;
done: mov.u32 %r4, 0;
"""
PLACE = "add.s64 %d9, %d2, 4;"
SHIFTED = """
.reg .b64 %way<9>;
mul.wide.s32 %way1, %r8, 32; add.s64 %way2, %d8, %way1;
cvt.s64.s32 %way3, %r8; shl.b64 %way4, %way3, BITS; add.s64 %d9, %d8, %way4;
""" + ADD.replace("[%d2+4]", "[%way2]")
STORED = PLACE + ADD + "st.global.u32 [%d4], %r1;"
ELSEWHERE = "add.s64 %d9, %d2, 8;" + ADD
TO_ANOTHER = PLACE + ADD + "atom.global.cas.b32 %r5, [%d4], 0, %r1;"
DECIDES = PLACE + IF_LARGER + "@%p2 bra out; st.global.u32 [%d4], 1; out: mov.u32 %r4, 0;"


def speculative(body: str) -> int:
    module = parse(program(body), "submission.cu")
    function = with_speculative_loads(entry(module, module.functions[0].name))
    return sum(isinstance(item, Instruction) and SPECULATIVE in item.modifiers for item in function.body)


@pytest.mark.parametrize(
    "body",
    [PLACE + ADD, PLACE + IF_LARGER, SHIFTED.replace("BITS", "5")],
    ids=["a sum", "a maximum", "an address that is computed in two ways"],
)
def test_a_load_for_a_swap_of_the_same_word_is_speculative(body: str) -> None:
    assert speculative(body) == 1


@pytest.mark.parametrize("body", [STORED, ELSEWHERE, TO_ANOTHER, DECIDES, SHIFTED.replace("BITS", "4")])
def test_a_load_with_another_use_is_none(body: str) -> None:
    assert speculative(body) == 0
