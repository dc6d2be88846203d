"""Loops that only wait for a value in memory."""

import pytest

from grader.ptxsim.analysis.divergence import analyse
from grader.ptxsim.analysis.graph import build
from grader.ptxsim.analysis.shape import Geometry
from grader.ptxsim.analysis.spins import waiting_lines
from grader.ptxsim.engine.program import entry
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.hostile import program

WAIT = ".loc 1 7 0\nagain: {read} setp.eq.s32 %p1, %r7, 0; {work} @%p1 bra again;\n.loc 1 9 0\n"


@pytest.mark.parametrize(("read", "work", "lines"), [
    ("ld.volatile.global.u32 %r7, [%d2];", "", {7}),
    ("atom.global.add.u32 %r7, [%d2], 0;", "", {7}),
    ("ld.acquire.gpu.global.u32 %r7, [%d2];", "nanosleep.u32 100;", {7}),
    ("atom.global.add.u32 %r7, [%d2], 1;", "st.global.u32 [%d2+4], %r7;", set()),
    ("add.u32 %r7, %r7, 1;", "", set()),
], ids=["a flag", "a counter", "with a pause", "a queue of work", "no memory"])  # fmt: skip
def test_a_loop_waits_if_its_end_depends_on_memory_and_it_does_nothing_else(read, work, lines):
    module = parse('.file 1 "submission.cu"\n' + program(WAIT.format(read=read, work=work)), "submission.cu")
    function = entry(module, module.functions[0].name)
    facts = analyse(build(function), function.registers, Geometry((32, 1, 1)))
    assert waiting_lines(facts.graph, facts.order) == lines
