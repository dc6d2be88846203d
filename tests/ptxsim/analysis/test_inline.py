"""Calls become copies of the functions that they call."""

from grader.ptxsim.analysis.inline import inlined
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Label

TEXT = """
.version 8.0
.target sm_80
.address_size 64
.func chosen(.param .b32 p)
{
    .reg .b32 %r<2>;
    ld.param.u32 %r1, [p];
    PLACES: .branchtargets FIRST, SECOND;
    brx.idx %r1, PLACES;
    FIRST: ret;
    SECOND: trap; ret;
}
.visible .entry kernel()
{
    { .param .b32 q; st.param.b32 [q], 0; call.uni chosen, (q); }
    { .param .b32 q; st.param.b32 [q], 1; call.uni chosen, (q); }
    ret;
}
"""


def test_every_copy_has_a_table_of_its_own_labels():
    module = parse(TEXT, "chosen.cu")
    whole = inlined(module, next(function for function in module.functions if function.is_entry))
    labels = {statement.name for statement in whole.body if isinstance(statement, Label)}
    tables = [set(table.labels) for table in whole.targets]
    assert [len(table) for table in tables] == [2, 2]
    assert tables[0].isdisjoint(tables[1])
    assert tables[0] | tables[1] <= labels
