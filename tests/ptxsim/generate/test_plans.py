"""Loads whose bounds are checked together."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.addresses import access_of
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.syntax.parser import parse

KERNEL = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 A)
{{
.local .align 4 .b8 array[4];
.reg .b32 %r<2>;
.reg .b64 %rd<4>;
mov.b64 %rd0, array;
st.local.u32 [%rd0], 0;
{loads}
ret;
}}
"""


def test_loads_that_cannot_be_planned_do_not_search_their_block_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of reads of a local array, as of an unrolled loop, took minutes to translate."""
    seen: Counter[int] = Counter()

    def counted(code: Any, instruction: Any) -> Any:
        seen[id(instruction)] += 1
        return access_of(code, instruction)

    monkeypatch.setattr("grader.ptxsim.generate.plans.access_of", counted)
    loads = "\n".join("ld.local.u32 %r0, [%rd0];" for _ in range(300))
    simulator = Simulator(parse(KERNEL.format(loads=loads), "k.cu"), "k", (32, 1, 1))
    simulator.launch((1, 1, 1), {}, [0])
    assert seen.total() <= 2 * 300


def test_a_warp_whose_loads_are_too_far_apart_and_misaligned_has_a_fault() -> None:
    loads = """ld.param.u64 %rd1, [A];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 264;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r0, %r0, %r0, %r0}, [%rd3];"""
    simulator = Simulator(parse(KERNEL.format(loads=loads), "k.cu"), "k", (32, 1, 1))
    assert simulator.launch((1, 1, 1), {"A": np.zeros(2050, np.uint32)}, ["A"]).status is Status.FAULT
