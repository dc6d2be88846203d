"""Loads whose bounds are checked together."""

from collections import Counter
from typing import Any

import pytest

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.addresses import access_of
from grader.ptxsim.syntax.parser import parse

KERNEL = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 A)
{{
.local .align 4 .b8 array[4];
.reg .b32 %r<2>;
.reg .b64 %rd<2>;
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
