"""What orders the accesses of a kernel, from its instructions."""

import pytest

from grader.ptxsim.analysis.ordering import AccessOrder, order_of
from grader.ptxsim.engine.program import entry
from grader.ptxsim.syntax.parser import parse
from tests.ptxsim.hostile import program


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
