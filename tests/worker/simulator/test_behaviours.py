"""How the kernels in kernels/ behave on the simulator."""

from __future__ import annotations

import shutil

import pytest

from grader.model import Launch
from grader.worker.simulator.generate.layout import FaultKind, Status
from grader.worker.simulator.syntax.errors import PtxError
from tests.worker.simulator.programs import KERNELS, product, ready

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


@pytest.mark.parametrize(
    "name",
    [
        "naive",
        "tiled",
        "dynamic_shared",
        "warp_sum",
        "atomics",
        "intrinsics",
        "unusual",
        "copies",
        "mangled",
        "other_name",
        "three_dimensions",
    ],
)
def test_correct_kernels_give_correct_answers_in_every_order(name: str) -> None:
    path = KERNELS / f"{name}.cu"
    simulator = ready(path)
    for order in ("forward", "reverse", "interleaved"):
        ran = product(path, 33, order=order, simulator=simulator)
        assert ran.exact, (order, ran)


def test_vector_access_works_where_it_is_aligned() -> None:
    assert product(KERNELS / "vectors.cu", 36, default=Launch((8, 8, 1), (32, 8))).exact


def test_what_a_kernel_prints_is_kept() -> None:
    assert product(KERNELS / "intrinsics.cu", 33).printed == b"N is 33\n"


@pytest.mark.parametrize("name", ["no_first_barrier", "no_second_barrier"])
def test_a_missing_barrier_gives_a_wrong_answer(name: str) -> None:
    path = KERNELS / f"{name}.cu"
    assert not all(product(path, 33, order=order).exact for order in ("forward", "reverse"))


def test_a_copy_that_nobody_waits_for_gives_a_wrong_answer() -> None:
    assert not product(KERNELS / "copies.cu", 33, flags=("-DPENDING=1",)).exact


@pytest.mark.parametrize(
    ("name", "kind", "line", "buffer"),
    [
        ("copy_outside", FaultKind.MEMORY, 6, "A"),
        ("no_load_check", FaultKind.MEMORY, 15, "B"),
        ("negative_index", FaultKind.MEMORY, 4, "B"),
        ("store_outside", FaultKind.MEMORY, 4, "C"),
        ("shared_outside", FaultKind.MEMORY, 8, "shared tile"),
        ("dynamic_shared_too_small", FaultKind.MEMORY, 13, "shared tiles"),
        ("misaligned_pair", FaultKind.MISALIGNED, 5, "C"),
        ("trap", FaultKind.TRAP, 4, ""),
        ("assertion", FaultKind.ASSERTION, 6, "variable"),
        ("recursion", FaultKind.STACK, 4, ""),
        ("chatter", FaultKind.PRINTED, 4, ""),
    ],
)
def test_a_fault_has_its_kind_and_line(name: str, kind: FaultKind, line: int, buffer: str) -> None:
    fault = product(KERNELS / f"{name}.cu", 33, processors=1).fault
    assert fault is not None
    assert (fault.kind, fault.line, fault.buffer) == (kind, line, buffer)


def test_a_barrier_waits_only_for_threads_that_have_not_returned() -> None:
    assert product(KERNELS / "early_return.cu", 33).status is Status.DONE


def test_a_fault_is_the_same_every_time() -> None:
    faults = {str(product(KERNELS / "store_outside.cu", 129).fault) for _ in range(5)}
    assert len(faults) == 1


def test_an_assertion_says_what_it_expected() -> None:
    fault = product(KERNELS / "assertion.cu", 33).fault
    assert fault is not None
    assert fault.text == "N < row + col"


def test_lanes_that_wait_for_each_other_forever_are_a_deadlock_with_its_places() -> None:
    fault = product(KERNELS / "barrier_and_shuffle.cu", 33).fault
    assert fault is not None
    assert [(site.line, site.threads, site.barrier) for site in fault.sites] == [(5, 16, True), (6, 240, False)]


def test_an_endless_loop_stops_with_its_line() -> None:
    ran = product(KERNELS / "endless.cu", 33, seconds=1)
    assert ran.status is Status.STOPPED
    assert ran.fault is not None
    assert ran.fault.line == 4


def test_threads_that_wait_for_one_that_never_comes_are_counted() -> None:
    fault = product(KERNELS / "barrier_and_loop.cu", 33, seconds=1).fault
    assert fault is not None
    assert (fault.kind, fault.line) == (FaultKind.TIME, 5)
    assert [(site.line, site.threads) for site in fault.sites] == [(7, 240)]


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("single_bits", "b1", 6),
        ("eight_bits", "cvt.rn.satfinite.e4m3x2.f32", 5),
        ("byte_selector", "an operand of vmad.s32.s32.s32", 5),
        ("packed_integers", "cvt.pack.sat.s16.s32", 5),
        ("texture", "tex.1d.v4.f32.s32", 5),
    ],
)
def test_what_is_not_supported_names_the_instruction_and_the_line(name: str, words: str, line: int) -> None:
    with pytest.raises(PtxError, match=words) as caught:
        product(KERNELS / f"{name}.cu", 33)
    assert caught.value.line == line
