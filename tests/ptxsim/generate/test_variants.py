"""Modifiers: what is translated is in a table, with all of its modifiers; anything else is refused with its line."""

import numpy as np
import pytest

from grader.ptxsim.generate.translation import VARIANTS, InstructionVariant, variants
from grader.ptxsim.records.lacks import UnsupportedError
from tests.ptxsim.generate.on_lanes import lanes
from tests.ptxsim.generate.written import spellings

ZERO = np.zeros(32, np.uint32)
# None of them is a modifier of the instruction, or none that is translated.
REFUSED = """
add.rn.s32 $d, $a, $b;
add.sat.u32 $d, $a, $b;
add.ftz.f64 %fd1, %fd2, %fd3;
sub.u16x2 $d, $a, $b;
sad.u32 $d, $a, $b, $c;
vadd4.u32.u32.u32 $d, $a, $b, $c;
prmt.b32.f4e $d, $a, $b, $c;
cvt.sat.s16.s32 %h1, $a;
cvt.rz.f16.f32 %h1, %f1;
set.lt.s32.s32 $d, $a, $b;
min.sat.s32 $d, $a, $b;
mul.lo.sat.s32 $d, $a, $b;
mul.wide.s64 %rd8, %rd7, %rd7;
div.full.f64 %fd1, %fd2, %fd3;
fma.rz.bf16 %h1, %h2, %h3, %h4;
fma.rn.oob.f16 %h1, %h2, %h3, %h4;
cvt.pack.sat.s16.s32 $d, $a, $b;
cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;
setp.lt.b32 %p1, $a, $b;
lop3.or.b32 $d|%p1, $a, $b, $c, 0x96, %p2;
ld.global.v8.b32 {$d, $d, $d, $d, $d, $d, $d, $d}, [%rd1];
ld.param::func.u32 $d, [%rd1];
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [tile], $a, [tile];
st.bulk.weak.shared::cta [tile], 8, 0;
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [tile], $a, [tile];
atom.global.add.noftz.v8.f32 $d, [%rd1], $a;
mbarrier.arrive_drop.expect_tx.shared.b64 %rd7, [tile], 8;
mbarrier.arrive.shared::cluster.b64 _, [tile];
cp.async.bulk.commit_group;
fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
bar.warp.sync.aligned -1;
redux.sync.min.f32 %f1, %f2, -1;
mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {$a, $a, $a, $a}, {$a, $a}, {$a}, {$a, $a, $a, $a};
ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {$a, $b}, [tile];
"""


@pytest.mark.parametrize("text", REFUSED.strip().splitlines())
def test_a_modifier_that_is_not_translated_is_refused_with_the_line(text: str) -> None:
    body = f".loc 1 7 1\n{text}"
    with pytest.raises(UnsupportedError) as caught:
        lanes(body, ZERO, ZERO, ZERO, np.uint32)
    assert (caught.value.name, caught.value.line) == (text.split(maxsplit=1)[0].rstrip(";"), 7)


@pytest.mark.parametrize("opcode", sorted(VARIANTS.keys() - {"barrier_result", "carried", "within"}))
def test_no_instruction_ignores_an_unknown_modifier(opcode: str) -> None:
    words_of = [next(spellings(variant)) for variant in VARIANTS[opcode]]
    assert not any(variant.has((*words, "unknown")) for variant in VARIANTS[opcode] for words in words_of)


def test_modifiers_may_be_in_any_order_and_occur_once() -> None:
    (variant,) = variants({print: "add [rn|rz] [ftz] f32"})
    assert accepted(variant, "f32", "rn.ftz.f32", "ftz.rn.f32", "f32.ftz")
    assert not any(accepted(variant, text) for text in ("ftz.ftz.f32", "rn.rz.f32", "ftz", "f32.f32"))


def accepted(variant: InstructionVariant, *texts: str) -> bool:
    return all(variant.has(text.split(".")) for text in texts)


def test_the_order_of_a_comparison_and_its_type_does_not_matter() -> None:
    a = np.arange(32, dtype=np.uint32)
    body = "setp.u32.lt %p1, $a, 5; selp.b32 $d, 1, 0, %p1;"
    assert np.array_equal(lanes(body, a, a, a, np.uint32), a < 5)


def test_shared_memory_of_a_cluster_of_one_block_is_the_blocks_own() -> None:
    a = np.arange(32, dtype=np.uint32)
    body = (
        "mov.u32 %r5, tile; mad.lo.u32 %r5, $a, 4, %r5; st.shared::cluster.u32 [%r5], $a; ld.shared.u32 %r6, [%r5]; "
        "cvt.u64.u32 %rd7, %r5; cvta.shared::cluster.u64 %rd7, %rd7; ld.u32 %r7, [%rd7]; add.u32 $d, %r6, %r7;"
    )
    assert np.array_equal(lanes(body, a, a, a, np.uint32), 2 * a)
