"""How the kernels in kernels/ behave on the simulator."""

import shutil

import pytest

from grader.model import Launch
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.records.lacks import PtxError
from tests.ptxsim.programs import KERNELS, product, ready

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


@pytest.mark.parametrize(
    "name",
    [
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


def test_a_missing_barrier_gives_a_wrong_answer() -> None:
    path = KERNELS / "no_first_barrier.cu"
    assert not all(product(path, 33, order=order).exact for order in ("forward", "reverse"))


def test_a_copy_that_nobody_waits_for_gives_a_wrong_answer() -> None:
    assert not product(KERNELS / "copies.cu", 33, flags=("-DPENDING=1",)).exact


def test_a_barrier_waits_only_for_threads_that_have_not_returned() -> None:
    assert product(KERNELS / "early_return.cu", 33).status is Status.DONE


def test_a_fault_is_the_same_every_time() -> None:
    faults = {str(product(KERNELS / "store_outside.cu", 129).fault) for _ in range(5)}
    assert len(faults) == 1


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("single_bits", "b1", 6),
        ("eight_bits", "cvt.rn.satfinite.e4m3x2.f32", 5),
        ("byte_selector", "vmad.s32.s32.s32", 5),
        ("packed_integers", "cvt.pack.sat.s16.s32", 5),
        ("texture", "tex.1d.v4.f32.s32", 5),
    ],
)
def test_what_is_not_supported_names_the_instruction_and_the_line(name: str, words: str, line: int) -> None:
    with pytest.raises(PtxError, match=words) as caught:
        product(KERNELS / f"{name}.cu", 33)
    assert caught.value.line == line
