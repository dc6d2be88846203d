"""Warp operations whose places share registers."""

from grader.ptxsim.analysis.graph import build
from grader.ptxsim.generate.shared_operands import with_shared_operands
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Instruction, Integer, Register

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .b32 %a<9>; .reg .pred %p<9>;\n"


def shared(body: str) -> tuple[list[Instruction], dict[str, str]]:
    function = parse(f"{HEAD}{body}\nret; }}").functions[0]
    graph, registers = with_shared_operands(build(function), function.registers)
    return [instruction for block in graph.blocks for instruction in block.instructions], registers


def test_two_places_of_an_operation_have_the_same_operands():
    body = "shfl.sync.bfly.b32 %a0|%p0, %a1, 16, 31, -1; shfl.sync.bfly.b32 %a2, %a3, %a4, 31, -1;"
    instructions, registers = shared(body)
    assert [one.opcode for one in instructions] == ["mov", "mov", "shfl", "mov", "mov", "mov", "mov", "shfl", "mov"]
    first, second = (one for one in instructions if one.opcode == "shfl")
    assert first.operands == second.operands
    assert first.operands[3:] == (Integer(31), Integer(-1))
    assert {name for name in registers if name.startswith("shfl")} == {
        f"shfl.sync.bfly.b32 {role}" for role in ("0", "0 holds", "1", "2", "place")
    }


def test_operations_with_other_qualifiers_share_nothing():
    instructions, registers = shared("vote.sync.any.pred %p0, %p1, -1; vote.sync.all.pred %p0, !%p1, -1;")
    sources = [one.operands[1] for one in instructions if one.opcode == "vote"]
    assert sources == [Register("vote.sync.any.pred 1"), Register("vote.sync.all.pred 1")]
    assert {registers[one.name] for one in sources} == {"pred"}
