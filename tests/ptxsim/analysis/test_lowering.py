import pytest

from grader.ptxsim.analysis.lowering import with_recorded_reads
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Address, Instruction, Register

TEXT = """
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b8 table[16];
.visible .entry kernel()
{{
    .reg .b32 %r<9>;
    ld.const.{load};
    ret;
}}
"""


def bases(load: str) -> list[type]:
    """What each instruction's address begins with, of those that have one."""
    module = parse(TEXT.format(load=load), "table.cu")
    function = with_recorded_reads(module.functions[0], module.variables)
    addresses = [
        operand
        for statement in function.body
        if isinstance(statement, Instruction)
        for operand in statement.operands
        if isinstance(operand, Address)
    ]
    return [type(address.base) for address in addresses]


@pytest.mark.parametrize("load", ["u32 %r1, [table+16]", "u32 %r1, [table-4]", "v2.u32 {%r1, %r2}, [table+12]"])
def test_a_read_outside_of_its_variable_has_its_address_in_a_register(load: str):
    assert bases(load) == [Register]


@pytest.mark.parametrize("load", ["u32 %r1, [table]", "u32 %r1, [table+12]", "v4.u32 {%r1, %r2, %r3, %r4}, [table]"])
def test_a_read_inside_stays_as_it_is(load: str):
    assert Register not in bases(load)
