"""The counters beside what the courses' own reports derive by hand, for the same kernels in other words.

The analyses are those of five published write-ups: two lab reports, an optimisation guide and two homeworks. Each row
of the table in docs/measurements.md is a test here.
"""

from fractions import Fraction

import pytest

from grader.model import AccessCount, Counters
from tests.advice.counted import ROOT, counted_in

N = P = 1024
WARP = 32


def counters_of(lab: str, kernel: str) -> Counters:
    return counted_in(lab, ROOT / "reference" / f"{kernel}.cu", N)[0]


def accesses(counters: Counters, space: str, kind: str) -> list[AccessCount]:
    return [access for access in counters.accesses if (access.space, access.kind) == (space, kind)]


def of_a_thread(lab: str, kernel: str) -> int:
    """Accesses of a thread to global memory."""
    counters, launch = counted_in(lab, ROOT / "reference" / f"{kernel}.cu", N)
    requests = sum(access.requests for access in counters.accesses if access.space == "global")
    warps = counters.blocks * launch.threads // WARP
    assert requests % warps == 0
    return requests // warps


@pytest.mark.parametrize(
    ("kernel", "by_hand", "flops"),
    [
        ("k1", 2 * P + 1, 2 * P),
        ("k2", P // 32 + P + 1, 2 * P),
        ("k3", 2 * P + P // 32 + 2, 4 * P),
        ("k4", P // 16 + P + 2, 4 * P),
        ("k5", P // 16 + 2 * P + 4, 8 * P),
    ],
)
def test_accesses_of_a_thread_to_global_memory_are_those_of_the_homework(kernel: str, by_hand: int, flops: int):
    counters, launch = counted_in("pitched", ROOT / "reference" / "pitched" / f"{kernel}.cu", N)
    warps = counters.blocks * launch.threads // WARP
    assert of_a_thread("pitched", f"pitched/{kernel}") == by_hand
    assert 2 * counters.multiply_adds // warps == pytest.approx(flops, rel=0.002)


def test_the_homework_finds_its_transposed_stores_uncoalesced_and_its_last_attempt_not():
    first = accesses(counters_of("pitched_transposed", "pitched_transposed/attempt_1"), "global", "store")
    last = accesses(counters_of("pitched_transposed", "pitched_transposed/attempt_5"), "global", "store")
    assert {access.sectors / access.requests for access in first} == {WARP}
    assert {access.sectors / access.requests for access in last} == {4}


@pytest.mark.parametrize(("kernel", "tile"), [("naive", 1), ("tiled_16", 16), ("tiled_32", 32)])
def test_the_guide_derives_loads_from_global_memory_divided_by_the_tile(kernel: str, tile: int):
    loads = accesses(counters_of("square", kernel), "global", "load")
    assert sum(access.requests for access in loads) * WARP == 2 * N**3 // tile


def test_the_guide_derives_a_sixteenth_of_the_blocks_from_sixteen_results_per_thread():
    assert counters_of("square", "tiled_16").blocks == 16 * counters_of("square", "register_blocked").blocks


@pytest.mark.parametrize(("kernel", "by_hand"), [("naive", 0.48479), ("tiled_32", 7.9844)])
def test_the_lab_report_derives_the_intensity_from_the_elements_that_a_warp_loads(kernel: str, by_hand: float):
    """A warp whose threads all read the same element loads 4 bytes."""
    counters = counters_of("square", kernel)
    loads = accesses(counters, "global", "load")
    loaded = sum(access.requests * access.width * (access.lanes if access.stride else 1) for access in loads)
    assert 2 * N**3 / loaded == pytest.approx(by_hand, rel=0.003)


def test_the_lab_report_finds_one_of_the_two_naive_kernels_uncoalesced():
    sectors = {
        kernel: max(load.sectors / load.requests for load in accesses(counters_of("square", kernel), "global", "load"))
        for kernel in ("naive_uncoalesced", "naive")
    }
    assert sectors == {"naive_uncoalesced": WARP, "naive": 4}


def test_the_homework_derives_half_a_read_of_shared_memory_for_a_multiply_add_of_four_by_four_results():
    loop = counters_of("square", "register_blocked").loop
    assert Fraction(loop.shared_loads, loop.multiply_adds) == Fraction(4 + 4, 4 * 4)


def test_the_padding_of_the_report_causes_the_conflicts_that_it_is_meant_to_avoid():
    """A warp stores two rows of 16. With 17 elements to a row, the first and the last of its elements share a bank."""
    counters = counters_of("six_versions", "six_versions/v6_final")
    wavefronts = {
        kind: {access.wavefronts / access.requests for access in accesses(counters, "shared", kind)}
        for kind in ("load", "store")
    }
    assert wavefronts == {"load": {1}, "store": {2}}
