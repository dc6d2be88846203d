"""Which registers are read behind an instruction."""

import pytest

from grader.ptxsim.analysis.divergence import analyse
from grader.ptxsim.analysis.graph import build
from grader.ptxsim.analysis.registers import is_needed, live_behind, results
from grader.ptxsim.analysis.shape import Geometry
from grader.ptxsim.engine.program import entry
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Module
from tests.ptxsim.hostile import program
from tests.ptxsim.programs import ROOT, compiled

FIRST = "ld.global.u32 %r7, [%d2];"


def needed_and_live(module: Module) -> list[tuple[bool, bool]]:
    """For each instruction, whether what it sets is needed, and whether a register that it sets is live behind it."""
    function = next(function for function in module.functions if function.is_entry)
    facts = analyse(build(entry(module, function.name)), function.registers, Geometry((16, 16, 1)))
    live, found = facts.live, []
    for number, block in enumerate(facts.graph.blocks):
        for place, instruction in enumerate(block.instructions):
            behind = live_behind(block, place, live.live_out[number], live.numbers)
            is_live = any(behind >> live.numbers[register.name] & 1 for register in results(instruction))
            found.append((is_needed(block, place, live.live_out[number], live.numbers), is_live))
    return found


@pytest.mark.parametrize("name", ["tiled_16", "block_tile_2d"])
def test_what_an_instruction_sets_is_needed_if_it_is_live_behind_it(name: str):
    found = needed_and_live(compiled(ROOT / "reference" / f"{name}.cu"))
    assert len(found) > 20
    assert all(needed == is_live for needed, is_live in found)


@pytest.mark.parametrize(("behind", "needed"), [
    ("add.u32 %r8, %r7, 1; st.global.u32 [%d2], %r8;", True),
    ("mov.u32 %r7, 1; st.global.u32 [%d2], %r7;", False),
    ("@%p1 mov.u32 %r7, 1; st.global.u32 [%d2], %r7;", True),
    ("add.u32 %r7, %r7, 1;", True),
    ("", False),
], ids=["read", "set again", "set again by some lanes", "read as it is set", "never read"])  # fmt: skip
def test_a_value_is_needed_until_all_lanes_have_another(behind: str, needed: bool):
    module = parse('.file 1 "submission.cu"\n' + program(f"setp.eq.s32 %p1, %r1, 0; {FIRST} {behind}"), "submission.cu")
    function = entry(module, module.functions[0].name)
    facts = analyse(build(function), function.registers, Geometry((32, 1, 1)))
    ((number, place),) = (
        (number, place)
        for number, block in enumerate(facts.graph.blocks)
        for place, instruction in enumerate(block.instructions)
        if instruction.opcode == "ld" and instruction.operands[0].name == "%r7"
    )
    assert is_needed(facts.graph.blocks[number], place, facts.live.live_out[number], facts.live.numbers) is needed
