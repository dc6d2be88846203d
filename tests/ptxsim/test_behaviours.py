"""How the kernels in kernels/ behave on the simulator."""

import shutil
from pathlib import Path

import pytest

from grader.ptxsim.engine.simulate import Form
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.records.lacks import PtxError
from tests import lab
from tests.ptxsim.programs import KERNELS, ROOT, product, ready

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


def test_atomics_and_a_lock_work_in_every_order() -> None:
    path = KERNELS / "atomics.cu"
    simulator = ready(path)
    for order in ("forward", "reverse"):
        ran = product(path, 33, order=order, simulator=simulator)
        assert ran.exact, (order, ran)


def test_the_general_code_gives_the_same_answers() -> None:
    path = ROOT / "reference" / "tiled_16.cu"
    simulator = ready(path)
    simulator._form = Form.GENERAL
    assert product(path, 33, simulator=simulator).exact


@pytest.mark.parametrize(("word", "other"), [('extern "C" ', ""), ("matmul(", "product(")])
def test_a_kernel_is_found_whatever_its_name(word: str, other: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(lab.NAIVE.replace(word, other))
    assert product(path, 33).exact


def test_a_barrier_waits_only_for_threads_that_have_not_returned() -> None:
    assert product(KERNELS / "early_return.cu", 33).status is Status.DONE


def test_a_fault_is_the_same_every_time() -> None:
    faults = {str(product(KERNELS / "store_outside.cu", 129).fault) for _ in range(5)}
    assert len(faults) == 1


def test_what_is_not_supported_names_the_instruction_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    head = 'extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)\n{'
    path.write_text(f"{head}\n\nC[0] = tex1Dfetch<float>(N, threadIdx.x);\n}}")
    with pytest.raises(PtxError, match=r"tex\.1d\.v4\.f32\.s32") as caught:
        product(path, 33)
    assert caught.value.line == 4
