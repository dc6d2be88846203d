"""Advice for the labs that allow tensor cores, beside the times that an H200 took for their kernels."""

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.advice.advise import advice
from grader.advice.compare import changes
from grader.advice.counting import is_plausible
from grader.advice.devices import GPUS
from grader.model import Advice, Counters, Interface, Measurement, Report, Shape
from grader.report.html import page
from grader.report.html.advice import totals
from grader.timing import statistics
from tests import corpus
from tests.advice.counted import ROOT, counted, counted_in, planted, rubric_of
from tests.advice.test_advice import NAIVE, STEPS, access
from tests.report import examples

N = 2048
USEFUL = N**3 // 32
FIRST = {
    ("tensor_cores", "naive.cu"): "idle tensor cores",
    ("tensor_cores", "wmma.cu"): "no reuse between warps: fragments come from global memory",
    ("tensor_cores", "wmma_tiled.cu"): "no overlap of loads and arithmetic",
    ("mixed_precision", "naive.cu"): "idle tensor cores",
    ("mixed_precision", "warp_tiled.cu"): "idle tensor cores",
}
FORBIDDEN = re.compile(r"tensor core|wmma|tf32|bfloat16|half", re.IGNORECASE)


def file_of(lab: str, kernel: str) -> Any:
    return ROOT / "reference" / ("tensor_cores" if lab == "tensor_cores" else "") / kernel


def counters_of(lab: str, kernel: str) -> Counters:
    return counted_in(lab, file_of(lab, kernel), N)[0]


def seconds(lab: str, kernel: str) -> float:
    with (ROOT / "docs" / "labs" / "data" / f"{lab}.csv").open(encoding="utf-8") as rows:
        return next(
            float(row["seconds_median"])
            for row in csv.DictReader(rows)
            if (row["subject"], row["file"], row["N"]) == ("kernel", kernel, str(N))
        )


def advised(lab: str, kernel: str, device: str = "h200") -> Advice:
    """The advice for a kernel of a lab, with the time that an H200 took for it."""
    counters, launch = counted_in(lab, file_of(lab, kernel), N)
    shape, every = Shape(N, N, N), [seconds(lab, kernel)] * 5
    timed = Measurement(shape, statistics.interval(every), statistics.gflops(shape, every), len(every), 1)
    return advice(counters, launch, rubric_of(lab).interface, GPUS[device], timed if device == "h200" else None)


@pytest.mark.parametrize(("lab", "kernel"), FIRST)
def test_no_bound_is_above_the_time_that_the_kernel_took(lab: str, kernel: str):
    assert advised(lab, kernel).bounds[0].microseconds < 1e6 * seconds(lab, kernel)


@pytest.mark.parametrize(("of", "first"), FIRST.items())
def test_the_first_advice_is_what_the_next_kernel_of_the_lab_does(of: tuple[str, str], first: str):
    assert [item.name for item in advised(*of).items][:1] == [first]


@pytest.mark.parametrize(("kernel", "faster"), [("naive.cu", "wmma.cu"), ("wmma.cu", "wmma_tiled.cu")])
def test_the_measured_factor_of_the_next_kernel_is_in_the_estimated_range(kernel: str, faster: str):
    first = advised("tensor_cores", kernel).items[0]
    assert first.low <= seconds("tensor_cores", kernel) / seconds("tensor_cores", faster) <= first.high


def test_the_first_sentence_has_the_tensor_cores_where_they_limit_most():
    counters, launch = counted(planted("overlap_fragments"), N, ("-DFIXED",))
    given = advice(counters, launch, rubric_of("tensor_cores").interface, GPUS["rtx4090"])
    assert "tensor cores at least 104 us" in given.conclusion  # 2048^3 / (128 x 256 x 2520)


@pytest.mark.parametrize(("device", "rate"), [("rtx4090", 512), ("a100", 1024), ("t4", 512)])
def test_sums_in_half_have_a_rate_of_their_own(device: str, rate: int):
    counters, launch = counted(planted("half_scalars"), N)
    given = advice(counters, launch, rubric_of("half").interface, GPUS[device])
    idle = next(item for item in given.items if item.name == "idle tensor cores")
    assert f"start {rate:,} multiply-adds" in idle.evidence
    assert "an accumulator of half" in idle.change


@pytest.mark.parametrize(("device", "has_them"), [("a100", True), ("v100", False), ("t4", False)])
def test_bfloat16_is_not_proposed_for_a_device_whose_tensor_cores_lack_it(device: str, has_them: bool):
    names = [item.name for item in advised("mixed_precision", "naive.cu", device).items]
    assert ("idle tensor cores" in names) is has_them


@pytest.mark.parametrize("lab", ["square", "techniques_int32", "double"])
@pytest.mark.parametrize("kernel", ["naive.cu", "tiled_16.cu", "warp_tiled.cu"])
def test_no_lab_that_forbids_rounding_is_told_of_it(lab: str, kernel: str):
    counters, launch = counted_in("square", file_of("square", kernel), N)
    given = advice(counters, launch, rubric_of(lab).interface, GPUS["h200"])
    assert given.items
    assert not FORBIDDEN.search(" ".join((item.name + item.evidence + item.change) for item in given.items))


def test_half_arithmetic_is_not_proposed_where_sums_are_floats():
    """Products of halves have up to 22 bits, which float keeps and half rounds."""
    given = advised("tensor_cores", "naive.cu")
    assert not re.search(r"half2|hfma", " ".join(item.change for item in given.items))


def test_products_of_fragments_are_multiply_adds():
    """A warp multiplies 16 x 16 x 16 elements with one instruction."""
    counters = counters_of("tensor_cores", "wmma.cu")
    assert (counters.tensor_products, counters.tensor) == (USEFUL, USEFUL * 32 // 16**3)
    assert (counters.multiply_adds, counters.half_conversions) == (0, 0)


def test_an_instruction_on_two_halves_is_two_multiply_adds():
    counters, _ = counted(planted("half_scalars"), N, ("-DFIXED",))
    assert (counters.multiply_adds, counters.halves, counters.pairs) == (USEFUL // 2, USEFUL // 2, USEFUL // 2)


def test_a_product_of_halves_and_its_addition_are_one_instruction():
    """PTX has two for `sum + a * b`; the machine code has 31 HFMA2 for 31 iterations of two loops."""
    counters, _ = counted(planted("half_scalars_naive"), N)
    assert (counters.multiply_adds, counters.halves) == (USEFUL, USEFUL)
    assert 2 * counters.loop.multiply_adds == counters.loop.global_loads


@pytest.mark.parametrize("flags", [(), ("-DFIXED",)])
def test_counters_of_halves_are_plausible_alone_and_in_pairs(flags: tuple[str, ...]):
    counters, launch = counted(planted("half_scalars"), N, flags)
    assert is_plausible(counters, launch)
    assert not is_plausible(replace(counters, tensor_products=5 * USEFUL // 2, products=5 * USEFUL // 2), launch)


@pytest.mark.parametrize("kernel", ["half2_loads", "wmma_column_major"])
def test_products_that_are_added_before_the_sum_are_plausible(kernel: str, tmp_path: Path):
    """Three instructions for two products, and fragments whose elements are doubled."""
    file = next((ROOT / "tests" / "submissions" / "honest").glob(f"{kernel}.*"))
    counters, launch = counted_in("tensor_cores", corpus.handed_in(file, tmp_path), N)
    assert is_plausible(counters, launch)
    assert not is_plausible(replace(counters, products=0, tensor_products=0), launch)


def test_rows_of_fragments_stay_aligned_when_they_are_padded():
    """load_matrix_sync needs rows of a multiple of 16 bytes."""
    file = ROOT / "tests" / "submissions" / "honest" / "wmma_column_major.cu"
    counters, launch = counted_in("tensor_cores", file, N)
    given = advice(counters, launch, rubric_of("tensor_cores").interface, GPUS["h200"])
    assert "[TILE][TILE + 8]" in given.items[0].change


def test_a_fragment_of_global_memory_is_four_requests_of_eight_rows():
    """The machine code has 4 LDG for each fragment, and 4 STG of 8 bytes for one of floats."""
    counters = counters_of("tensor_cores", "wmma.cu")
    loads, stores = ([a for a in counters.accesses if a.kind == kind] for kind in ("load", "store"))
    assert sum(access.requests for access in loads) == 2 * 4 * counters.tensor
    assert {access.sectors / access.requests for access in loads} == {8}
    assert [(access.width, access.requests) for access in stores] == [(8, 4 * N * N // 256)]


def test_a_fragment_of_shared_memory_is_one_request_of_four_matrices():
    """The machine code has 8 + 4 LDSM with four matrices for 32 HMMA: 16 products of fragments."""
    counters = counters_of("tensor_cores", "wmma_tiled.cu")
    loads = [access for access in counters.accesses if access.of_fragment and access.kind == "load"]
    assert 16 * sum(access.requests for access in loads) == 12 * counters.tensor
    assert {access.wavefronts / access.requests for access in loads} == {4}


def test_a_fragment_of_bfloat16_in_shared_memory_is_four_requests():
    """nvcc names no space for it: the machine code has 16 LD and 4 HMMA for two products of fragments."""
    counters, _ = counted(planted("idle_tensor_cores_bfloat16"), N, ("-DFIXED",))
    loads = [access for access in counters.accesses if access.of_fragment and access.kind == "load"]
    assert {(access.space, access.width, access.wavefronts / access.requests) for access in loads} == {("shared", 4, 1)}
    assert sum(access.requests for access in loads) == 2 * 4 * counters.tensor


def test_reads_of_four_neighbouring_halves_are_one():
    """The machine code has 64 LDS.64 and 32 LDS.U16, and converts what they read: 288 HADD2 for 256 FFMA."""
    counters, _ = counted(planted("idle_tensor_cores"), N)
    loads = {a.width: a.requests for a in counters.accesses if (a.space, a.kind) == ("shared", "load")}
    assert {width: 256 * requests / counters.multiply_adds for width, requests in loads.items()} == {8: 64, 2: 32}
    assert 256 * counters.half_conversions / counters.multiply_adds == 288


def test_a_conversion_of_a_constant_is_none():
    """Tiles are filled with __float2half(0.0f) at the edges."""
    assert counters_of("tensor_cores", "wmma_tiled.cu").half_conversions == 0


def test_kernels_in_float_have_no_counters_of_short_numbers():
    counters = counters_of("square", "tiled_16.cu")
    assert (counters.halves, counters.pairs, counters.half_conversions, counters.tensor) == (0, 0, 0, 0)
    assert not any(access.of_fragment for access in counters.accesses)


def test_tensor_cores_are_no_advice_where_they_are_no_faster():
    """An RTX 4090 multiplies TF32 on its tensor cores at the rate of its other units."""
    for device, is_advised in (("h200", True), ("rtx4090", False)):
        counters, launch = counted(planted("idle_tensor_cores_tf32"), N)
        given = advice(counters, launch, rubric_of("tf32").interface, GPUS[device])
        assert ("idle tensor cores" in [item.name for item in given.items]) is is_advised


def test_conversions_are_evidence_for_idle_tensor_cores():
    counters, launch = counted(planted("idle_tensor_cores"), N)
    given = advice(counters, launch, rubric_of("tensor_cores").interface, GPUS["h200"])
    assert "288 conversions to float for 256 multiply-adds" in given.items[0].evidence


def graded(counters: Counters, **types: Any) -> Report:
    lab = examples.rubric(interface=Interface("matmul", ("A", "B", "C", "N"), **types))
    return examples.with_advice(examples.simulated(rubric=lab, counters=counters))


def test_the_page_shows_the_multiply_adds_of_tensor_cores():
    counters = replace(NAIVE, multiply_adds=0, tensor=STEPS // 128, tensor_products=STEPS)
    report = graded(counters, type_a="float16", type_b="float16")
    assert report.advice is not None
    assert totals(report)[0].value == "33,554,432: the product needs all"


def test_the_page_names_accesses_to_fragments():
    counters = replace(NAIVE, accesses=(access(of_fragment=True), access("shared")))
    shown = page.render(graded(counters, type_a="float16", type_b="float16"))
    assert "global load of fragments, 4 bytes" in shown
    assert "shared load, 4 bytes" in shown


def test_a_comparison_has_the_multiply_adds_of_tensor_cores_where_there_are_any():
    with_them = replace(NAIVE, multiply_adds=0, tensor=STEPS // 128, tensor_products=STEPS)
    before, after = (graded(each, type_a="float16", type_b="float16") for each in (NAIVE, with_them))
    compared = {change.quantity: (change.before, change.after) for change in changes(before, after)}
    assert compared["multiply-adds of tensor cores"] == ("0", f"{STEPS:,}")
    assert "multiply-adds of tensor cores" not in {change.quantity for change in changes(before, before)}


def test_rows_of_fragments_are_not_uncoalesced():
    """The rows of a fragment are apart in every matrix: only a tile in shared memory helps."""
    loads = access(sectors=2 * STEPS * 8, stride=4096, of_fragment=True)
    counters = replace(NAIVE, accesses=(loads,), multiply_adds=0, tensor=STEPS // 128, tensor_products=STEPS)
    given = graded(counters, type_a="float16", type_b="float16").advice
    assert [item.name for item in given.items] == ["no reuse between warps: fragments come from global memory"]


def test_a_good_kernel_with_tensor_cores_has_no_advice():
    counters, launch = counted(planted("overlap_fragments"), N, ("-DFIXED",))
    assert not advice(counters, launch, rubric_of("tensor_cores").interface, GPUS["h200"]).items


def test_requests_for_fragments_of_tf32_have_as_many_sectors_as_nsight_compute_counts():
    """Eight lines of 16 bytes of A; four lines of 32 bytes of B, whose lines are those of k."""
    counters, _ = counted(planted("idle_tensor_cores_tf32"), 2048, ("-DFIXED",))
    loads = [access for access in counters.accesses if access.kind == "load"]
    assert [access.sectors / access.requests for access in loads] == [8, 4]
