"""Local arrays whose index is known only when the kernel runs: the same element in all lanes, or one for each."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from grader.ptxsim.generate.layout import FaultKind
from tests.ptxsim.programs import run

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

LANES = np.arange(32)
INDEXED = """
extern "C" __global__ void k(double *C, const int *at) {
    TYPE words[8];
    for (int i = 0; i < 8; ++i)
        words[i] = 100 * i + threadIdx.x;
    int place = at[threadIdx.x];
    if (threadIdx.x % 3)
        words[place] += 7;
    C[threadIdx.x] = words[place] + words[7 - place];
}
"""


@pytest.mark.parametrize("places", [np.full(32, 5), LANES % 8, np.where(LANES % 3, 2, 6)], ids=["one", "own", "two"])
@pytest.mark.parametrize("type_", ["double", "float", "long long", "short"])
def test_each_lane_has_its_own_elements(type_: str, places: np.ndarray, tmp_path: Path) -> None:
    result, at = np.zeros(32), places.astype(np.int32)
    ran = run(INDEXED.replace("TYPE", type_), tmp_path, {"C": result, "at": at}, ["C", "at"], block=32)
    assert ran.fault is None
    assert np.array_equal(result, 700 + 2 * LANES + np.where(LANES % 3, 7, 0))


AT_ONE_PLACE = """
extern "C" __global__ void k(TYPE *C, int at) {
    int words[16];
    for (int i = 0; i < 16; ++i)
        words[i] = C[0].x * i;
    if (threadIdx.x >= 5)
        C[threadIdx.x] = *(TYPE *)&words[at];
}
"""


@pytest.mark.parametrize(
    ("type_", "at", "kind"),
    [
        ("int2", 3, FaultKind.MISALIGNED),
        ("int4", 2, FaultKind.MISALIGNED),
        ("int2", 16, FaultKind.MEMORY),
        ("int4", -4, FaultKind.MEMORY),
        ("int2", -(1 << 30), FaultKind.MEMORY),
    ],
)
def test_a_fault_in_a_local_array_names_its_kind_and_the_first_thread(type_, at, kind, tmp_path: Path):
    source = AT_ONE_PLACE.replace("TYPE", type_)
    fault = run(source, tmp_path, {"C": np.zeros(256, np.int32)}, ["C", at], block=32).fault
    assert (fault.kind, fault.line, fault.thread) == (kind, 7, (5, 0, 0))


@pytest.mark.parametrize(("type_", "at"), [("int2", 0), ("int2", 14), ("int4", 12), ("int1", 15)])
def test_the_first_and_last_words_of_a_local_array_can_be_accessed(type_: str, at: int, tmp_path: Path) -> None:
    result = np.ones(256, np.int32)
    assert run(AT_ONE_PLACE.replace("TYPE", type_), tmp_path, {"C": result}, ["C", at], block=32).fault is None
    width = int(type_[3:])
    assert result[5 * width : 6 * width].tolist() == list(range(at, at + width))


GUARDED = """
extern "C" __global__ void k(int *C, const int *at, int wanted) {
    int words[16];
    for (int i = 0; i < 16; ++i)
        words[i] = 100 * i + at[i % 2];
    int place = at[0], value = 1;
    unsigned long long address = (unsigned long long)__cvta_generic_to_local(words) + 4ll * place;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.local.s32 %0, [%1]; @p st.local.s32 [%1], %2; }"
                 : "+r"(value) : "l"(address), "r"(wanted) : "memory");
    C[threadIdx.x] = value + words[1];
}
"""


@pytest.mark.parametrize(("place", "wanted", "value", "kind"), [
    (1 << 20, 0, 1, None), (1 << 20, 5, 0, FaultKind.MEMORY), (-5, 0, 1, None), (2, 5, 200 + 2, None),
])  # fmt: skip
def test_an_access_that_no_thread_makes_needs_no_valid_index(place, wanted, value, kind, tmp_path: Path):
    result, at = np.zeros(32, np.int32), np.array([place, 7], np.int32)
    ran = run(GUARDED, tmp_path, {"C": result, "at": at}, ["C", "at", wanted], block=32)
    assert (ran.fault and ran.fault.kind) == kind
    if kind is None:
        assert (result == value + 107).all()
