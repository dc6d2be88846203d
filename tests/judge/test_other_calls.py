"""Kernels that are correct with another call than the lab's: the hint says which, and what to change."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from grader import pipeline
from grader.host import machine
from grader.judge import rubric_kernel
from grader.judge.conditions import Conditions, GradePlan
from grader.judge.other_calls import Trying
from grader.model import Backend, Fault, Rubric, Verdict
from grader.rubric import labs, load
from grader.rubric.starter import starter
from tests import corpus, lab
from tests.kept_answers import start_kept
from tests.test_calls import RUBRIC, SQUARE, STRUCTS, TILES
from tests.test_several_kernels import LABS

OBLONG = 'parameters = ["A", "B", "C", "M", "N", "K"]'
OBLONG_SIZES = [[20, 36, 44], 33]
PRODUCT = """
__global__ void matmul(@GIVEN@)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= h || col >= w) return;
    float sum = 0.0f;
    for (int k = 0; k < d; ++k) sum += A[row * d + k] * B[k * w + col];
    C[row * w + col] = sum;
}
"""


def product(given: str) -> str:
    return PRODUCT.replace("@GIVEN@", given)


FLAT = """
__global__ void matmul(const float *A, const float *B, float *C, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n * n) return;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += A[at / n * n + k] * B[k * n + at % n];
    C[at] = sum;
}
"""
FLAT_PROGRAM = f"{FLAT}\nvoid run(float *a, int n) {{ matmul<<<(n * n + 63) / 64, 64>>>(a, a, a, n); }}"
ADDS = """
__global__ void matmul(const float *A, const float *B, float *C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n && row < n && col < n; ++k) C[row * n + col] += A[row * n + k] * B[k * n + col];
}
"""
TWO_ROWS = """
__global__ void matmul(const float *A, const float *B, float *C, int n)
{
    int first = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    for (int row = first; row < min(n, first + 32) && col < n; row += 16) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}
"""
PITCHED = """
__global__ void matmul(int m, int n, int k, const float *x, int ldx, const float *y, int ldy, float *z, int ldz)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += x[row * ldx + i] * y[i * ldy + col];
    z[row * ldz + col] = sum;
}
"""
HOST_SET = """
__constant__ int side;
__global__ void matmul(const float *A, const float *B, float *C, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < side; ++k) sum += row < side && col < side ? A[row * side + k] * B[k * side + col] : 0.0f;
    if (row < side && col < side) C[row * side + col] = sum;
}
void set(int n) { cudaMemcpyToSymbol(side, &n, sizeof n); }
"""
SMALL_TILE = re.sub(r"template.*?>\n", "#define TILE 8\n#define T float\n#define CHECKED 0\n", TILES, flags=re.DOTALL)
SMALL_TILE = SMALL_TILE.replace("!CHECKED ||", "")
ROUNDED_DOWN = "void run(float *a, int n) { matmul<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, a, a, n); }"
POINTERS = "const float *A, const float *B, float *C"


class Another(NamedTuple):
    call: str
    sizes: Sequence[object]
    kernel: str
    says: str  # to a student
    rubric: str  # says to the author of the rubric


CALLS = {
    "named sizes in another order": Another(
        OBLONG,
        OBLONG_SIZES,
        product(f"{POINTERS}, int M, int K, int N")
        .replace("h ||", "M ||")
        .replace("w)", "N)")
        .replace("w + c", "N + c")
        .replace("* d", "* K")
        .replace("< d", "< K"),
        "if it is called as matmul(A, B, C, M, K, N). This lab calls matmul(A, B, C, M, N, K): declare these",
        'kernel.parameters: it is correct with ["A", "B", "C", "M", "K", "N"]',
    ),
    "sizes whose names say nothing": Another(
        OBLONG,
        OBLONG_SIZES,
        product(f"{POINTERS}, int d, int w, int h"),
        "matmul(A, B, C, K, N, M)",
        'kernel.parameters: it is correct with ["A", "B", "C", "K", "N", "M"]',
    ),
    "the result first": Another(
        SQUARE,
        [33],
        FLAT.replace("const float *A, const float *B, float *C", "float *C, const float *A, const float *B").replace(
            "int at = blockIdx.x * blockDim.x + threadIdx.x",
            "int at = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 16 + threadIdx.x",
        ),
        "matmul(C, A, B, N)",
        'kernel.parameters: it is correct with ["C", "A", "B", "N"]',
    ),
    "fewer parameters": Another(
        OBLONG,
        OBLONG_SIZES,
        f"""
        __global__ void matmul({POINTERS}, int wA, int wB)
        {{
            int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
            float sum = 0.0f;
            for (int k = 0; k < wA; ++k) sum += A[row * wA + k] * B[k * wB + col];
            C[row * wB + col] = sum;
        }}
        """,
        "matmul(A, B, C, K, N)",
        'kernel.parameters: it is correct with ["A", "B", "C", "K", "N"]',
    ),
    "the launch of its host code": Another(
        SQUARE,
        [33],
        FLAT_PROGRAM,
        "blocks of 64 threads. This lab launches blocks of 16 x 16 threads",
        "launch: it is correct with block = [64], grid = [",
    ),
    "a grid that it does not show": Another(
        SQUARE,
        [33],
        FLAT,
        "launched with ceil(M * N / 256) blocks of 256 threads",
        'launch: it is correct with block = [256], grid = ["ceil(M * N / 256)"]',
    ),
    "a tile that does not fit": Another(
        f"{SQUARE}\n[launch]\nblock = [16, 16]\ntile = [32, 64]",
        [33],
        product(f"{POINTERS}, int w").replace("h ||", "w ||").replace("* d", "* w").replace("< d", "< w"),
        "Write LAUNCH(.block = {16, 16}, .tile = {16, 16}); below the kernel.",
        "launch: it is correct without tile = [32, 64]",
    ),
    "a tile of which one side does not fit": Another(
        f"{SQUARE}\n[launch]\nblock = [16, 16]\ntile = [32, 32]",
        [33],
        TWO_ROWS,
        "Write LAUNCH(.block = {16, 16}, .tile = {16, 32}); below the kernel.",
        "launch: it is correct with tile = [16, 32]",
    ),
    "a tile of the file's own": Another(
        SQUARE, [33], SMALL_TILE, "LAUNCH(.block = {8, 8}, .tile = {8, 8})", "launch: it is correct with block = [8, 8]"
    ),
    "a tile of host code for whole tiles": Another(
        SQUARE,
        [33],
        SMALL_TILE.replace("TILE 8", "TILE 24") + ROUNDED_DOWN,
        "LAUNCH(.block = {24, 24}, .tile = {24, 24})",
        "launch: it is correct with block = [24, 24]",
    ),
    "zeros in C": Another(
        SQUARE, [33], ADDS, "if C is zero before the launch.", 'kernel.start: it is correct with "zero"'
    ),
    "a variable that host code sets": Another(
        SQUARE,
        [33],
        HOST_SET,
        "if its host code sets side. Host code does not run here",
        'kernel.symbols: it is correct with ["side = N"]',
    ),
    "another type": Another(
        SQUARE,
        [33],
        ADDS.replace("float", "double")
        .replace("for (int k", "double sum = 0;\n    for (int k")
        .replace("+=", "= sum +="),
        "with A of float64, B of float64 and C of float64.",
        "kernel.types: it is correct with {",
    ),
}


def rubric_in(
    folder: Path, call: str, quick: Sequence[object], name: str = "matmul", correctness: Sequence[object] = (700,)
) -> Rubric:
    sizes = f"{[*correctness]}\nquick = {quick}"  # as in most labs, the quick sizes are others
    (folder / "lab.toml").write_text(RUBRIC.format(name=name, call=call, sizes=sizes))
    return load.load(folder / "lab.toml")


def fault_of(kernel: str, rubric: Rubric) -> Fault:
    plan = GradePlan(Path("mine.cu"), rubric, b"", 1, rubric.quick_sizes, timed=False, start=start_kept)
    report = pipeline.grade_content(plan, kernel.encode(), machine.choose(Backend.SIMULATOR), lambda *_: None)
    fault = lab.first_fault(report)
    assert fault, report
    return fault


def mistakes(kernel: str, rubric: Rubric) -> list[str]:
    conditions = Conditions(rubric, machine.choose(Backend.SIMULATOR), 1, start_kept)
    trying = Trying(conditions, kernel.encode(), "mine.cu")
    return list(rubric_kernel.mistakes(trying))


def test_changes_are_named_together(tmp_path: Path) -> None:
    doubles = FLAT_PROGRAM.replace("float", "double").replace("int n)\n", "int n, float beta)\n")
    doubles = doubles.replace("a, n);", "a, n, 0.0f);")
    rubric = rubric_in(tmp_path, SQUARE, [33])
    hint = fault_of(doubles, rubric).hint
    assert "called as matmul(A, B, C, N, beta) and with A of float64, B of float64 and C of float64 and if it" in hint
    assert [each.partition(":")[0] for each in mistakes(doubles, rubric)] == [
        "mine.cu is not correct in this lab",
        "kernel.parameters",
        "kernel.types",
        "launch",
    ]


@pytest.mark.parametrize("name", CALLS)
def test_the_call_is_named_with_which_a_kernel_is_correct(name: str, tmp_path: Path) -> None:
    other = CALLS[name]
    rubric = rubric_in(tmp_path, other.call, other.sizes)
    fault = fault_of(other.kernel, rubric)
    assert other.says in fault.hint
    assert fault.story is None or other.rubric.startswith(("launch", "kernel.start"))
    first, second = mistakes(other.kernel, rubric)
    assert "mine.cu is not correct in this lab: " in first
    assert second.startswith(other.rubric)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("one_row_of_threads", "Write LAUNCH(.block = {16, 16}, .tile = {16, 16}); in line 28."),
        ("program_with_larger_blocks", "Write LAUNCH(.block = {32, 32}, .tile = {32, 32}); below the kernel."),
    ],
)
def test_the_launch_of_a_submission_is_named(name: str, says: str, tmp_path: Path) -> None:
    kernel = corpus.content(corpus.named(f"wrong/{name}")).decode()
    assert says in fault_of(kernel, rubric_in(tmp_path, SQUARE, [33])).hint


def test_the_tile_is_named_that_a_row_of_threads_computes(tmp_path: Path) -> None:
    square = """#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.x / 16, col = blockIdx.x * 16 + threadIdx.x % 16;
    float sum = 0;
    for (int k = 0; k < N && col < N && row < N; ++k) sum += A[row * N + k] * B[k * N + col];
    if (col < N && row < N) C[row * N + col] = sum;
}
LAUNCH(.block = {256});
"""
    fault = fault_of(square, rubric_in(tmp_path, SQUARE, [33]))
    assert fault.hint.endswith("Write LAUNCH(.block = {256}, .tile = {16, 16}); in line 9.")
    assert fault.line == 9


def test_threads_along_z_that_a_kernel_divides_its_terms_among_are_named(tmp_path: Path) -> None:
    source = """#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[4][8][8];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
    float sum = 0.0f;
    for (int k = threadIdx.z; k < N && row < N && col < N; k += 4)
        sum += A[row * N + k] * B[k * N + col];
    sums[threadIdx.z][y][x] = sum;
    __syncthreads();
    for (int z = 1; z < blockDim.z; z++)
        sum += sums[z][y][x];
    if (row < N && col < N && threadIdx.z == 0)
        C[row * N + col] = sum;
}
LAUNCH(.block = {8, 8}, .tile = {8, 8});
"""
    fault = fault_of(source, rubric_in(tmp_path, SQUARE, [33]))
    assert fault.hint.endswith("Write LAUNCH(.block = {8, 8, 4}, .tile = {8, 8}); in line 16.")


def test_no_call_is_named_for_a_kernel_that_is_wrong_with_every_one(tmp_path: Path) -> None:
    rubric = rubric_in(tmp_path, SQUARE, [33])
    assert "It is correct" not in fault_of(FLAT_PROGRAM.replace("+=", "-="), rubric).hint
    assert len(mistakes(FLAT.replace("+=", "-="), rubric)) == 1


def test_no_call_is_named_with_which_a_kernel_is_right_by_chance(tmp_path: Path) -> None:
    unset = """#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0, other;
    for (int k = 0; k < N && col < N && row < N; ++k) {
        sum += A[row * N + k] * B[k * N + col];
        if (row + 8 < N) other += A[(row + 8) * N + k] * B[k * N + col];
    }
    if (col < N && row < N) C[row * N + col] = sum;
    if (col < N && row + 8 < N) C[(row + 8) * N + col] = other;
}
LAUNCH(.block = {32, 8}, .tile = {32, 16});
"""
    assert "It is correct" not in fault_of(unset, rubric_in(tmp_path, SQUARE, [33])).hint


PLAIN = re.sub(r"\b[hwd]\b", "n", product(f"{POINTERS}, int n"))


@pytest.mark.parametrize(
    ("kernel", "launch", "square"),
    [(PLAIN, ".block = {32}, .tile = {32, 32}", "{32, 32}"), (SMALL_TILE, ".block = {8, 4}", "{8, 8}")],
)
def test_a_square_block_is_named_first_in_place_of_another(
    kernel: str, launch: str, square: str, tmp_path: Path
) -> None:
    fault = fault_of(f"#include <lab.h>\n{kernel}\nLAUNCH({launch});", rubric_in(tmp_path, SQUARE, [33]))
    assert f"Write LAUNCH(.block = {square}, .tile = {square}); in line" in fault.hint


def test_no_call_is_named_whose_blocks_suffice_for_a_small_c_only(tmp_path: Path) -> None:
    flat = f"#include <lab.h>\n{FLAT}LAUNCH(.block = {{256}});"
    assert "It is correct" not in fault_of(flat, rubric_in(tmp_path, SQUARE, [33])).hint


@pytest.mark.parametrize(("kind", "result", "names"), [("int", "float", "A, B"), ("double", "double", "A, B, C")])
def test_other_types_of_elements_are_named(tmp_path: Path, kind: str, result: str, names: str) -> None:
    kernel = re.sub(r"\b[hwd]\b", "n", product(f"const {kind} *A, const {kind} *B, {result} *C, int n"))
    kernel = kernel.replace(" matmul(", " gemm(")
    fault = fault_of(kernel, rubric_in(tmp_path, SQUARE, [33]))
    hint = f"The file declares {names} of {kind}, but this lab has {names} of float32. Change the declaration."
    assert fault.hint == hint


def test_a_kernel_that_no_call_fits_keeps_its_fault(tmp_path: Path) -> None:
    fault = fault_of(STRUCTS, rubric_in(tmp_path, SQUARE, [33]))
    assert (fault.verdict, fault.hint) == (
        Verdict.WRONG_SIGNATURE,
        "Is the file for another lab than Call? Then name that lab with --rubric. "
        "Give the kernel exactly these parameters, in this order.",
    )


def test_a_kernel_for_another_lab_is_told_its_name() -> None:
    kernel = starter(Path("rectangular"))["matmul.cu"].decode().replace(" matmul(", " gemm(")
    fault = fault_of(kernel, load.load(labs.default()))
    assert "gemm(A, B, C, N)" in fault.sentence
    assert re.match(r"It is correct as the lab.* rectangular .*calls? it: name .* with --rubric", fault.hint)
    assert fault.hint.endswith(
        "for Square matrix multiplication, float32, declare that lab's parameters, in their order."
    )


@pytest.mark.parametrize(
    ("name", "kernel", "said"),
    [
        ("matmull", FLAT, "kernel.name: mine.cu has no kernel matmull, but matmul; did you mean `matmul`?"),
        ("matmul", TILES, 'The name may be "matmul<16, float, 16>".'),
        ("matmul", "__global__ void matmul(int *A) { A[0] = n; }", 'mine.cu: It does not compile: '),
    ],
)  # fmt: skip
def test_a_rubric_with_another_kernel_is_told_so(name: str, kernel: str, said: str, tmp_path: Path) -> None:
    (only,) = mistakes(kernel, rubric_in(tmp_path, SQUARE, [33], name))
    assert said in only


def test_the_right_order_of_a_further_matrix_and_of_a_first_kernel_is_named(tmp_path: Path) -> None:
    name, parameters, others, kernels = LABS["a factor that is transposed"]
    turned = parameters.replace('"A", "transposed"', '"transposed", "A"')
    found = mistakes(kernels, rubric_in(tmp_path, f"parameters = {turned}\n{others}", OBLONG_SIZES, name))
    assert found[1:] == ['kernel.parameters: it is correct with ["A", "transposed", "C", "M", "N", "K"]']
    exchanged = others.replace('"B", "transposed"', '"transposed", "B"')
    found = mistakes(kernels, rubric_in(tmp_path, f"parameters = {parameters}\n{exchanged}", OBLONG_SIZES, name))
    assert found[1:] == ['before[0].parameters: it is correct with ["B", "transposed", "rows = K", "columns = N"]']


def test_leading_dimensions_of_matrices_with_other_names_are_named(tmp_path: Path) -> None:
    call = 'parameters = ["M", "N", "K", "A", "ldx = N", "B", "ldy = N", "C", "ldz = N"]'
    _, right = mistakes(PITCHED, rubric_in(tmp_path, call, OBLONG_SIZES[:1]))
    assert right == 'kernel.parameters: it is correct with ["M", "N", "K", "A", "lda", "B", "ldb", "C", "ldc"]'


def test_a_grid_that_is_too_small_for_a_size_of_the_rubric_is_found(tmp_path: Path) -> None:
    call = f"{SQUARE}\n[launch]\nblock = [16, 16]\ngrid = [8, 32]"
    kernel = re.sub(r"\b[hwd]\b", "n", product(f"{POINTERS}, int n"))
    (wrong,) = mistakes(kernel, rubric_in(tmp_path, call, [16], correctness=[16, 136, 500]))
    assert "never written at N=136, in the last 8 columns" in wrong


def test_a_rubric_whose_kernel_is_correct_has_no_mistakes(tmp_path: Path) -> None:
    call = f'{SQUARE}\n[launch]\nblock = [64]\ngrid = ["ceil(N * N / 64)"]'
    assert mistakes(FLAT, rubric_in(tmp_path, call, [33])) == []
