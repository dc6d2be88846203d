"""Barriers that are objects in shared memory: what they count. Submissions have blocks that wait at them."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


OBJECT = """
extern "C" __global__ void {}(int *C) {{
    __shared__ unsigned long long object;
    unsigned at = __cvta_generic_to_shared(&object);
    if (threadIdx.x == 0) {{
        unsigned long long state; int r = -1;
        asm volatile("mbarrier.init.shared.b64 [%0], 3;" :: "r"(at));
        asm volatile("{{ .reg .pred p; .reg .b64 t; {} }}" : "=r"(r), "=l"(state) : "r"(at) : "memory");
        C[0] = r;
    }}
}}
"""
STATE = "mbarrier.arrive.shared.b64 %1, [%2]; "
TEST = "mbarrier.test_wait.shared.b64 p, [%2], %1; selp.s32 %0, 1, 0, p;"
LEFT = "cvt.u32.u64 %0, %1; and.b32 %0, %0, 0xFFFFF;"  # the arrivals that the phase waits for
COUNTS = {
    "before_the_first": (STATE + LEFT, 3),
    "before_the_second": (STATE + STATE + LEFT, 2),
    "of_two": (STATE + "mbarrier.arrive.shared.b64 _, [%2], 1; " + TEST, 0),
    "of_three": (STATE + "mbarrier.arrive.shared.b64 _, [%2], 2; " + TEST, 1),
    "after_a_drop": (
        "mbarrier.arrive_drop.shared.b64 %1, [%2]; mbarrier.arrive.shared.b64 _, [%2], 2; " + STATE + LEFT, 2,
    ),
    "of_the_phase_before": ("mbarrier.test_wait.parity.shared.b64 p, [%2], 1; selp.s32 %0, 1, 0, p;", 1),
    "of_the_first_phase": ("mbarrier.test_wait.parity.shared.b64 p, [%2], 0; selp.s32 %0, 1, 0, p;", 0),
}  # fmt: skip
OBJECTS = "".join(OBJECT.format(name, text) for name, (text, _) in COUNTS.items())


@pytest.mark.parametrize("name", COUNTS)
def test_an_object_counts_arrivals(name: str, tmp_path: Path) -> None:
    result = np.full(1, -7, np.int32)
    assert run(OBJECTS, tmp_path, {"C": result}, ["C"], kernel=name).exact
    assert result[0] == COUNTS[name][1]


USE = """
extern "C" __global__ void k(int *C) {{
    __shared__ unsigned long long object[3];
    unsigned at = __cvta_generic_to_shared(object + 1);
    if (threadIdx.x == 0) {{
        {}
        C[0] = 1;
    }}
}}
"""
INIT = 'asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(at) : "memory");'
ARRIVE = 'asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at) : "memory");'
INVAL = 'asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(at) : "memory");'
ZERO = "*(volatile unsigned long long *)(object + 1) = 0;"
WAIT = """asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }"
             :: "r"(at) : "memory");"""


@pytest.mark.parametrize(
    ("statements", "instruction", "was_ended"),
    [
        (ARRIVE, "mbarrier.arrive.shared.b64", False),
        (WAIT, "mbarrier.try_wait.parity.shared.b64", False),
        (ZERO + WAIT, "mbarrier.try_wait.parity.shared.b64", False),
        (INIT + ARRIVE + WAIT + INVAL + ARRIVE, "mbarrier.arrive.shared.b64", True),
    ],
    ids=["arrive", "wait", "zero", "inval"],
)
def test_an_object_must_be_initialised(statements: str, instruction: str, was_ended: bool, tmp_path: Path) -> None:
    ran = run(USE.format(statements), tmp_path, {"C": np.zeros(1, np.int32)}, ["C"])
    fault = ran.fault
    assert (fault.kind, fault.instruction, fault.write) == (FaultKind.NO_OBJECT, instruction, was_ended)
    assert (fault.space, fault.buffer, fault.offset, fault.extent) == ("shared", "object", 8, 24)


def test_memory_of_an_object_may_be_initialised_again(tmp_path: Path) -> None:
    result = np.zeros(1, np.int32)
    statements = 2 * (INIT + ARRIVE + WAIT + INVAL) + INVAL
    assert run(USE.format(statements), tmp_path, {"C": result}, ["C"]).exact
    assert result[0] == 1
