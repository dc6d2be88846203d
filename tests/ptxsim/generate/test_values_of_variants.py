"""The lines of the tables of arithmetic, bits and values give what the PTX ISA says.

`tests/benchmarks/ptx_variants.py` computes all of them, on more operands.
"""

from collections.abc import Mapping

import pytest

from grader.ptxsim.generate.code import Translate
from grader.ptxsim.generate.translation import ARITHMETIC, LOGIC, VALUES
from tests.ptxsim.generate.sweep import instructions, wrong
from tests.ptxsim.generate.written import written

TABLES = {"numbers": ARITHMETIC, "bits": LOGIC, "values": VALUES}
WERE_WRONG = """
cvt.rzi.s8.f32 cvt.rni.s8.f64 cvt.rmi.s8.f16 cvt.rmi.ftz.s32.f32
cvt.rpi.ftz.u64.f32 cvt.ftz.f64.f32 cvt.rpi.ftz.f32.f32 cvt.rn.sat.f32.s32 bfe.s32 bfe.s64 fma.rn.bf16
fma.rn.bf16x2
"""


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_variant_gives_the_value_of_the_reference(table: Mapping[Translate, str]) -> None:
    assert list(wrong(instructions(table), seed=5)) == []


@pytest.mark.parametrize("seed", range(4))
def test_what_was_wrong_before_gives_the_value_of_the_reference(seed: int) -> None:
    names = [name.split(".") for name in WERE_WRONG.split()]
    assert list(wrong([written(opcode, tuple(words)) for opcode, *words in names], seed)) == []
