"""Labs of several kernels in a row, and of matrices besides A, B and C."""

from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.model import Fault, Machine, Verdict
from grader.rubric import load
from grader.rubric.starter import starter
from tests import lab

ROOT = Path(__file__).parents[1]
RUBRIC = """
format = 1
title = "Several"
points = 1
[kernel]
name = "{name}"
parameters = {parameters}
{others}
[sizes]
correctness = [33, [20, 40, 24]]
[[criteria]]
id = "correct"
title = "Correct"
kind = "correct"
points = 1
"""
OF_SLICES = """
[launch]
block = [256]
grid = ["ceil(M * N / block_x)"]
[[before]]
name = "partial_sums"
parameters = ["A", "B", "partial", "M", "N", "K"]
block = [16, 16]
grid = ["ceil(N / 16)", "ceil(M / 16)", 4]
[matrices.partial]
shape = [4, "M * N"]
"""
SPLIT = ("add", '["partial", "C", "M", "N"]', OF_SLICES)
SLICES = """
__global__ void partial_sums(const float *A, const float *B, float *partial, int M, int N, int K)
{
    __shared__ float factor[4];
    if (threadIdx.y == 0 && threadIdx.x < 4) factor[threadIdx.x] = 1.0f;
    __syncthreads();
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = blockIdx.z; k < K; k += gridDim.z) sum += A[row * K + k] * B[k * N + col];
    partial[(blockIdx.z * M + row) * N + col] = factor[blockIdx.z] * sum;
}
__global__ void add(const float *partial, float *C, int M, int N)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= M * N) return;
    float sum = 0.0f;
    for (int slice = 0; slice < 4; ++slice) sum += partial[slice * M * N + at];
    C[at] = sum;
}
"""
OF_TRANSPOSE = """
[[before]]
name = "transpose"
parameters = ["B", "transposed", "rows = K", "columns = N"]
block = [16, 16]
grid = ["ceil(N / block_x)", "ceil(K / block_y)"]
[matrices.transposed]
shape = ["N", "K"]
"""
TRANSPOSE = """
__global__ void transpose(const float *from, float *to, int rows, int columns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < columns) to[col * rows + row] = from[row * columns + col];
}
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[col * K + k];
    C[row * N + col] = sum;
}
LAUNCH(.block = {8, 8});
"""
OF_CLEARING = """
[launch]
block = [16, 16]
grid = ["ceil(N / 16)", "ceil(M / 16)", 3]
[[before]]
name = "clear"
parameters = ["C", "count = M * N"]
block = [64]
grid = ["ceil(M * N / 64)"]
"""
CLEARED = """
__device__ int cleared;
__global__ void clear(float *C, int count)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) C[at] = 0.0f;
    if (at == 0) cleared = count;
}
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N || cleared != M * N) return;
    for (int k = blockIdx.z; k < K; k += gridDim.z) atomicAdd(&C[row * N + col], A[row * K + k] * B[k * N + col]);
}
"""
OF_BIAS = '[matrices.bias]\nshape = ["N"]\nstart = "{}"'
BIAS = """
__global__ void linear(const float *A, const float *B, const float *bias, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = bias[col];
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
"""
LINEAR = '["A", "B", "bias", "C", "M", "N", "K"]'
SIZES = '["A", "B", "C", "M", "N", "K"]'

LABS: dict[str, tuple[Any, ...]] = {
    "partial sums that are added": (*SPLIT, SLICES),
    "a factor that is transposed": ("matmul", SIZES.replace("B", "transposed"), OF_TRANSPOSE, TRANSPOSE),
    "a C that is cleared, and a variable that says so": ("matmul", SIZES, OF_CLEARING, CLEARED),
    "a bias of zeros": ("linear", LINEAR, OF_BIAS.format("zero"), BIAS),
}


def fault(folder: Path, name: str, parameters: str, others: str, kernels: str) -> Fault | None:
    (folder / "lab.toml").write_text(RUBRIC.format(name=name, parameters=parameters, others=others))
    return lab.fault_here(kernels.encode(), load.load(folder / "lab.toml"))


@pytest.mark.parametrize("name", LABS)
def test_a_lab_can_have(name: str, tmp_path: Path) -> None:
    assert fault(tmp_path, *LABS[name]) is None


@pytest.mark.parametrize(
    ("change", "verdict", "says"),
    [
        (("k < K;", "k < K - 1;"), Verdict.WRONG_ANSWER, "elements of C are wrong"),
        (("slice < 4", "slice < 3"), Verdict.WRONG_ANSWER, "elements of C are wrong"),
        (("if (row >= M", "if (blockIdx.z == 3 || row >= M"), Verdict.WRONG_ANSWER, "should be"),
        (("* M + row)", "* M + row + 1)"), Verdict.OUT_OF_BOUNDS, "writes outside partial in line 11"),
        (("slice < 4", "slice < 5"), Verdict.OUT_OF_BOUNDS, "reads outside partial in line 18"),
        (("blockIdx.z * M + row", "blockIdx.z % 2 * M + row"), Verdict.DATA_RACE, "element 0 of partial"),
        (("threadIdx.x < 4", "threadIdx.x < 3"), Verdict.UNSET_MEMORY, "line 11"),
        (("void add(", "void sum("), Verdict.NO_KERNEL, "its kernels are partial_sums, sum"),
        (("void partial_sums(", "void partial_sum("), Verdict.NO_KERNEL, "exactly one kernel named partial_sums"),
        (("float *partial, int M", "int M, float *partial"), Verdict.WRONG_SIGNATURE, "partial_sums takes"),
        (
            ("void partial", "__launch_bounds__(128) void partial"),
            Verdict.LAUNCH_FAILED,
            "partial_sums is not launched",
        ),
        (("void add", "__launch_bounds__(128) void add"), Verdict.LAUNCH_FAILED, "add is not launched: The kernel is"),
    ],
)
def test_a_mistake_in_one_of_the_kernels_is_found(
    change: tuple[str, str], verdict: Verdict, says: str, tmp_path: Path
) -> None:
    assert change[0] in SLICES
    found = fault(tmp_path, *SPLIT, SLICES.replace(*change, 1))
    assert found
    assert (found.verdict, says in found.sentence) == (verdict, True), found.sentence


@pytest.mark.parametrize("name", LABS)
def test_a_stub_of_such_a_lab_compiles_and_lacks_the_product_only(name: str, tmp_path: Path) -> None:
    kernel, parameters, others, _ = LABS[name]
    (tmp_path / "lab.toml").write_text(RUBRIC.format(name=kernel, parameters=parameters, others=others))
    empty = starter(tmp_path / "lab.toml")["matmul.cu"]
    found = lab.fault_here(empty, load.load(tmp_path / "lab.toml"))
    assert found
    assert found.verdict is Verdict.WRONG_ANSWER, found


def test_a_matrix_that_the_lab_leaves_unset_must_be_set(tmp_path: Path) -> None:
    found = fault(tmp_path, "linear", LINEAR, OF_BIAS.format("unset"), BIAS.replace("bias[col]", "fmaxf(bias[col], 0)"))
    assert found
    assert found.verdict is Verdict.WRONG_ANSWER


def test_the_hint_of_an_access_outside_names_the_shape_that_the_lab_gives(tmp_path: Path) -> None:
    found = fault(tmp_path, *SPLIT, SLICES.replace("slice < 4", "slice < 5"))
    assert found
    assert "The lab gives partial the shape 4 x M * N." in found.hint


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (('"partial_sums"', '"add"'), "before[0].name: add is launched by kernel already"),
        (("[matrices.partial]", "[matrices.parts]"), "matrices.parts: no kernel has parts among its parameters"),
        (("[matrices.partial]", "[matrices.A]"), "matrices.A: the name A has another meaning among parameters"),
        (('[4, "M * N"]', '["1000000 * 1000000"]'), "must be from 1 to 2147483648, but is 1000000000000"),
        (('[4, "M * N"]', '[10000000, "M * N"]'), "elements, but [10000000, 1089] has 10890000000 at N=33"),
        (('[4, "M * N"]', '[20000000, "M"]'), "matrices: they have 2517 MiB at N=33, more than half of limits"),
        (('"M * N"]', '"M / (K - 33)"]'), "matrices.partial.shape[1]: `M / (K - 33)` divides by zero at N=33"),
        (('"M * N"]', '"partial"]'), "matrices.partial.shape[1]: `partial` uses `partial`, which is none of M, N, K"),
        (('block = [16, 16]', 'block = [64, 64]'), "before[0].block: it has at most 1024 threads"),
        (('"ceil(N / 16)", ', '"N / 16", '), "before[0].grid[0]: `N / 16` is 2.0625, which is not a whole number"),
        (('"A", "B", "partial"', '"A", "partial"'), "kernel.parameters: B is missing"),
        (('"partial", "M"', '"parted", "M"'), "before[0].parameters[2]: must be one of A, B, C"),
        (('[matrices.partial]', '[matrices."a b"]'), 'matrices: must be a C++ identifier, but is "a b"'),
    ],
)  # fmt: skip
def test_a_rubric_with_a_mistake_is_told_where(change: tuple[str, str], mistake: str, tmp_path: Path) -> None:
    assert change[0] in OF_SLICES
    with pytest.raises(UsageError) as told:
        fault(tmp_path, SPLIT[0], SPLIT[1], OF_SLICES.replace(*change), SLICES)
    assert mistake in str(told.value)


@pytest.mark.gpu
def test_kernels_in_a_row_are_timed_together(gpu: Machine) -> None:
    report = lab.grade(ROOT / "reference" / "split_k" / "tiles.cu", ROOT / "rubrics" / "split_k.toml", gpu)
    assert lab.verdict(report) is Verdict.OK, lab.first_fault(report)
    assert [measurement.shape.N for measurement in report.measurements] == [256]
    assert report.baselines.keys() == {"naive"}
