"""Which accesses to local memory are checked against the bounds of one array."""

import pytest

from grader.ptxsim.analysis.local_bounds import with_bounds
from grader.ptxsim.engine.program import entry
from grader.ptxsim.records.fields import LocalArray
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Instruction, Symbol
from tests.ptxsim.hostile import program

ARRAYS = LocalArray("__local_depot0", 0, 16, "sums"), LocalArray("__local_depot0", 16, 32, "counts")
MEMORY = ".reg .b64 %e<8>; .local .align 16 .b8 __local_depot0[48]; mov.u64 %e1, __local_depot0;"
STARTS = MEMORY + "add.u64 %e2, %e1, 0; add.u64 %e3, %e1, 16; mul.wide.u32 %e5, %r1, 4;"


def checked(body: str) -> list[str]:
    """The array of each check."""
    module = parse(program(body), "submission.cu", ARRAYS)
    function = with_bounds(entry(module, module.functions[0].name), module.local_arrays)
    checks = [item for item in function.body if isinstance(item, Instruction) and item.opcode == "within"]
    return [item.operands[3].name for item in checks if isinstance(item.operands[3], Symbol)]


@pytest.mark.parametrize(("body", "arrays"), [
    ("add.s64 %e6, %e2, %e5; ld.local.u32 %r2, [%e6];", ["sums"]),
    ("add.s64 %e6, %e3, %e5; add.s64 %e7, %e6, -20; st.local.u32 [%e7+4], %r2;", ["counts"]),
    ("cvta.local.u64 %e6, %e3; add.s64 %e7, %e6, %e5; ld.u32 %r2, [%e7];", ["counts"]),
    ("mov.u64 %e6, %e2; add.s64 %e6, %e6, 4; ld.local.u32 %r2, [%e6]; ld.local.u32 %r3, [%e6+4];", ["sums"] * 2),
    ("ld.local.u32 %r2, [%e2+16];", ["sums"]),
])  # fmt: skip
def test_an_address_computed_from_one_array_has_to_stay_in_it(body: str, arrays: list[str]) -> None:
    assert checked(STARTS + body) == arrays


@pytest.mark.parametrize("body", [
    "selp.b64 %e6, %e2, %e3, %p1; ld.local.u32 %r2, [%e6];",
    "sub.s64 %e6, %e3, %e2; add.s64 %e7, %e2, %e6; ld.local.u32 %r2, [%e7];",
    "add.u64 %e6, %e1, 20; add.s64 %e7, %e6, %e5; ld.local.u32 %r2, [%e7];",
    "add.s64 %e6, %e1, %e5; ld.local.u32 %r2, [%e6];",
    "ld.local.u64 %e6, [%e2]; ld.u32 %r2, [%e6];",
    "ld.local.u32 %r2, [%e2+12]; ld.local.u32 %r2, [%e1+16];",
    "ld.local.u64 %e6, [%e4]; selp.b64 %e7, %e2, %e6, %p1; ld.u32 %r2, [%e7];",
    "mov.u64 %e6, %e2; @%p1 ld.local.u64 %e6, [%e4]; ld.u32 %r2, [%e6+20];",
    "mov.u64 %e6, %e2; @%p1 mov.u64 %e6, %e4; add.s64 %e7, %e6, %e5; ld.u32 %r2, [%e7];",
    "add.s64 %e6, %e2, %e5; sub.s64 %e7, %e6, %e2; add.s64 %e7, %e4, %e7; ld.u32 %r2, [%e7];",
    "mad.lo.s64 %e6, %e2, 4, %e4; ld.u32 %r2, [%e6];",
], ids=[
    "chosen", "moved to another", "the middle", "not of an array", "from memory", "constants",
    "one or from memory", "from memory under a condition", "one or elsewhere", "a distance", "a factor",
])  # fmt: skip
def test_other_addresses_are_not_checked(body: str) -> None:
    assert checked(STARTS + body) == []
