"""A kernel that is compiled in parts gives the same answers wherever it is cut, and with optimisation."""

import pytest

from grader.ptxsim.engine.simulate import Form, Simulator
from grader.ptxsim.generate import parted
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.programs import ROOT, product, ready

LONG = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 A)
{{
.reg .b32 %r<{registers}>;
mov.u32 %r0, %tid.x;
{sums}
ret;
}}
"""


@pytest.mark.parametrize("name", ["naive", "tiled_16"])
def test_a_kernel_is_correct_with_each_block_in_a_part_of_its_own(name, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parted, "LARGEST", 0)
    monkeypatch.setattr(parted, "LARGEST_IN_LOOP", 0)
    simulator = ready(ROOT / "reference" / f"{name}.cu")
    assert product(ROOT / "reference" / f"{name}.cu", 33, simulator=simulator).exact
    assert len(simulator.kernel.code.parts) > 3


def test_well_compiled_code_gives_the_same_answers() -> None:
    simulator = ready(ROOT / "reference" / "tiled_16.cu")
    simulator._form = Form.OPTIMISED
    assert product(ROOT / "reference" / "tiled_16.cu", 33, simulator=simulator).exact


def test_a_long_block_with_many_registers_runs() -> None:
    sums = "\n".join(f"add.u32 %r{place + 1}, %r{place}, {place};" for place in range(5000))
    simulator = Simulator(parse(LONG.format(registers=5002, sums=sums)), "k", (32, 1, 1))
    assert simulator.launch((1, 1, 1), {}, [0]).status is Status.DONE
