"""What orders the accesses of a kernel, from its instructions, and loops that only wait for a value in memory."""

import pytest

from grader.ptxsim.analysis.divergence import analyse
from grader.ptxsim.analysis.graph import build
from grader.ptxsim.analysis.ordering import AccessOrder, order_of, waiting_lines
from grader.ptxsim.analysis.shape import Geometry
from grader.ptxsim.engine.program import entry
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.hostile import program

WAIT = ".loc 1 7 0\nagain: {read} setp.eq.s32 %p1, %r7, 0; {work} @%p1 bra again;\n.loc 1 9 0\n"


def order(body: str, *, spins: bool = False) -> AccessOrder:
    module = parse(program(body), "submission.cu")
    return order_of(entry(module, module.functions[0].name), 256, spins=spins)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("bar.sync 0;", AccessOrder()),
        ("barrier.sync 1;", AccessOrder()),
        ("bar.warp.sync -1;", AccessOrder()),
        ("bar.sync 1, 256;", AccessOrder()),
        ("bar.sync 0, 64;", AccessOrder(by_parts=True)),
        ("bar.arrive 0, 64;", AccessOrder(by_parts=True)),
        ("membar.gl;", AccessOrder()),
        ("membar.gl; red.global.add.u32 [%d2], 1;", AccessOrder(by_signals=True)),
        ("fence.acq_rel.gpu; ld.volatile.global.u32 %r9, [%d2];", AccessOrder(by_signals=True)),
        ("st.relaxed.gpu.global.u32 [%d2], %r9; membar.gl;", AccessOrder(by_signals=True)),
        ("st.release.gpu.global.u32 [%d2], %r9;", AccessOrder(by_signals=True)),
        ("mbarrier.init.shared.b64 [%r9], 1;", AccessOrder(by_objects=True)),
        ("red.global.add.u32 [%d2], 1;", AccessOrder()),
        ("atom.global.add.u32 %r9, [%d2], 1;", AccessOrder()),
        ("atom.global.add.u32 %r9, [%d2], 1; add.u32 %r2, %r9, 1;", AccessOrder(by_tickets=True)),
    ],
)
def test_what_orders_besides_barriers_of_all_threads(body: str, expected: AccessOrder):
    assert order(body) == expected


def test_a_loop_that_waits_for_a_value_orders():
    assert order("ret;", spins=True) == AccessOrder(by_signals=True)


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
