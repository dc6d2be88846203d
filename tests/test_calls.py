"""Kernels as their own programs call them: the rubric describes the call, and no line of the file is changed."""

from pathlib import Path
from typing import Any

import pytest

from grader.model import Verdict
from grader.rubric import load
from tests import lab

RUBRIC = """
format = 1
title = "Call"
points = 1
[kernel]
name = "{name}"
{call}
[sizes]
correctness = {sizes}
[[criteria]]
id = "correct"
title = "Correct"
kind = "correct"
points = 1
"""
SQUARE = 'parameters = ["A", "B", "C", "N"]'

ONE_DIMENSION = """
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < N * N; at += gridDim.x * blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k) sum += A[at / N * N + k] * B[k * N + at % N];
        C[at] = sum;
    }
}
"""
ROW_OF_BLOCKS = """
__global__ void matmul(const float *A, const float *B, float *C)
{
    int row = blockIdx.x, col = threadIdx.x, width = blockDim.x;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) sum += A[row * width + k] * B[k * width + col];
    C[row * width + col] = sum;
}
"""
EVERY_PARAMETER = """
__global__ void matmul(float *out, const float *left, const char *right, size_t rightPitch, short side, int wA, int wB,
                       double scale, bool transposed, float *bias)
{
    extern __shared__ float sums[];
    int row = blockIdx.y * side + threadIdx.y, col = blockIdx.x * side + threadIdx.x;
    float *sum = sums + threadIdx.y * side + threadIdx.x;
    *sum = 0.0f;
    for (int k = 0; k < wA; ++k) *sum += left[row * wA + k] * ((const float *)(right + k * rightPitch))[col];
    if (!transposed && !bias) out[row * wB + col] = (float)(2 * scale) * *sum;
}
"""
CONSTANT = """
enum { SIDE = 40 };
__global__ void matmul(const float A[SIDE][SIDE], const float B[SIDE][SIDE], float C[SIDE][SIDE])
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= SIDE || col >= SIDE) return;
    float sum = 0.0f;
    for (int k = 0; k < SIDE; ++k) sum += A[row][k] * B[k][col];
    C[row][col] = sum;
}
"""
SLICES_OF_C = """
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, rows = (N + gridDim.z - 1) / gridDim.z;
    for (int row = blockIdx.z * rows; row < min(N, (blockIdx.z + 1) * rows) && col < N; ++row) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k) sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
"""
TILES = """
template <int TILE, typename T, bool CHECKED = true>
__global__ void matmul(const T *A, const T *B, T *C, int N)
{
    __shared__ T a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    T sum = 0;
    for (int first = 0; first < N; first += TILE) {
        a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0;
        b[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (!CHECKED || (row < N && col < N)) C[row * N + col] = sum;
}
"""
OF_ONE_TILE = TILES.replace("int TILE, typename T, bool CHECKED = true", "int TILE, typename T")
LAUNCHES = (
    "void run(float *a) { matmul<16, float><<<1, 256>>>(a, a, a, 1); matmul<8, float, false><<<1, 64>>>(a, a, a, 8); }"
)
ADDS = """
__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = blockIdx.z; k < N && row < N && col < N; k += gridDim.z)
        atomicAdd(&C[row * N + col], A[row * N + k] * B[k * N + col]);
}
"""
STRUCTS = """
typedef struct { short rows; int cols, stride; double scale; float *data; } Matrix;
__global__ void matmul(int verbose, Matrix a, const Matrix b, Matrix c)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= c.rows || col >= c.cols) return;
    float sum = 0.0f;
    for (int k = 0; k < a.cols; ++k) sum += a.data[row * a.stride + k] * b.data[k * b.stride + col];
    c.data[row * c.stride + col] = (float)c.scale * sum + verbose;
}
"""
OF_A_STRUCT = [f'"{n.lower()} = {{short {r}, {c}, {c}, double 1.0, {n}}}"' for n, r, c in ("AMK", "BKN", "CMN")]
SYMBOLS = """
struct Sizes { int m; long n; };
__constant__ Sizes sizes;
namespace lab { static __device__ int inner; }
__global__ void matmul(const float *A, const float *B, float *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= sizes.m || col >= sizes.n) return;
    float sum = 0.0f;
    for (int k = 0; k < lab::inner; ++k) sum += A[row * lab::inner + k] * B[k * sizes.n + col];
    C[row * sizes.n + col] = sum;
}
void run(Sizes given) { cudaMemcpyToSymbol(sizes, &given, sizeof(given)); }
"""
TYPED = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void matmul(const FACTOR *A, const FACTOR *B, SUM *C, int N, SUM alpha)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;
    SUM sum = 0;
    for (int k = 0; k < N; ++k) sum += (SUM)A[row * N + k] * (SUM)B[k * N + col];
    C[row * N + col] = alpha * sum;
}
"""
OF_TYPES = 'parameters = ["A", "B", "C", "N", "alpha"]\nalpha = 2\ntypes = {{ A = "{0}", B = "{0}", C = "{1}" }}'


def typed(factor: str, sums: str, kind: str, of_c: str) -> tuple[str, list[int], str]:
    return OF_TYPES.format(kind, of_c), [33], f"#define FACTOR {factor}\n#define SUM {sums}\n{TYPED}"


PLAIN = """
__global__ void matmul(@GIVEN@)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = (float)(factor * sum);
}
__global__ void parent(const float *a, float *c) { REST }
"""
POINTERS = "const float *A, const float *B, float *C"


def plain(given: str, rest: str = "") -> str:
    return PLAIN.replace("@GIVEN@", given).replace("REST", rest)


CALLS: dict[str, tuple[Any, ...]] = {
    "sizes in another order, and a factor in double": (
        'parameters = ["A", "B", "C", "M", "K", "N", "alpha"]\nalpha = 3',
        [[20, 40, 24]],
        plain(f"{POINTERS}, int M, int K, int N, double factor"),
    ),
    "a 64-bit, a 16-bit and a whole factor": (
        'parameters = ["A", "M", "B", "N", "C", "K", "factor = 1"]',
        [[20, 40, 24]],
        plain("const float *A, long long M, const float *B, short N, float *C, unsigned K, int factor"),
    ),
    "a file whose kernels launch kernels": (
        'parameters = ["A", "B", "C", "M", "N", "K", "factor = 1.0"]\n[compile]\nflags = ["-O3", "-rdc=true"]',
        [33],
        plain(f"{POINTERS}, int M, int N, int K, float factor", "matmul<<<1, 1>>>(a, a, c, 1, 1, 1, 1.0f);"),
    ),
    "a template without an instance": (f"{SQUARE}\n[launch]\nblock = [8, 8]", [33], TILES, "matmul<8, float>"),
    "one of several instances": (f"{SQUARE}\n[launch]\nblock = [8, 8]", [33], TILES + LAUNCHES, "matmul<8,float,true>"),
    "a kernel that is no template": (
        SQUARE,
        [33],
        ADDS.replace("atomicAdd(&C[row * N + col], ", "C[row * N + col] = (k ? C[row * N + col] : 0) + ("),
        "matmul<8, float>",
    ),
    "bfloat16": typed("__nv_bfloat16", "float", "bfloat16", "float32"),
    "int8": typed("signed char", "int", "int8", "int32"),
    "uint8": typed("unsigned char", "int", "uint8", "int32"),
    "factors in half precision": typed("half", "half", "float16", "float16"),
    "structs": (f'parameters = ["verbose = 0", {", ".join(OF_A_STRUCT)}]', [33, [20, 40, 24]], STRUCTS),
    "variables that its host code sets": (
        'parameters = ["A", "B", "C"]\nsymbols = ["sizes = {M, long N}", "inner = max(K, 1)"]',
        [33, [20, 40, 24]],
        SYMBOLS,
    ),
    "a kernel that adds to zeros": (
        f'{SQUARE}\nstart = "zero"\n[launch]\nblock = [8, 8]\ngrid = ["ceil(N / 8)", "ceil(N / 8)", 3]',
        [33],
        ADDS,
    ),
    "a grid of one dimension": (f'{SQUARE}\n[launch]\nblock = [64]\ngrid = ["ceil(N * N / 256)"]', [33], ONE_DIMENSION),
    "a block that is a row": (
        'parameters = ["A", "B", "C", "unused = null"]\n[launch]\nblock = ["N"]\ngrid = ["N"]',
        [40],
        ROW_OF_BLOCKS.replace("float *C)", "float *C, void *unused)"),
    ),
    "every kind of parameter": (
        'parameters = ["C", "A", "B", "pitch = 4 * N", "side = tile_x", "wA = K", "wB = N", "scale = 0.5",'
        '"transposed = 0", "bias = null"]\n[launch]\nblock = [8, 8]\nshared = "4 * block_x * block_y"',
        [[16, 40, 24], 64],
        EVERY_PARAMETER,
    ),
    "a size that is a constant": ('parameters = ["A", "B", "C"]', [40], CONSTANT),
    "a grid of three dimensions": (
        f'{SQUARE}\n[launch]\nblock = [32]\ngrid = ["ceil(N / block_x)", 1, "max(1, N // 8)"]',
        [33],
        SLICES_OF_C,
    ),
}


def verdict(folder: Path, call: str, sizes: object, kernel: str, name: str = "matmul") -> Verdict:
    (folder / "lab.toml").write_text(RUBRIC.format(name=name, call=call, sizes=sizes))
    fault = lab.fault_here(kernel.encode(), load.load(folder / "lab.toml"))
    return fault.verdict if fault else Verdict.OK


@pytest.mark.parametrize("name", CALLS)
def test_a_rubric_can_describe_the_call_of(name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, *CALLS[name]) is Verdict.OK


@pytest.mark.parametrize(
    ("call", "kernel", "expected", "name"),
    [
        (
            f'{SQUARE}\n[launch]\nblock = [64]\ngrid = ["ceil(N / 64)"]',
            ROW_OF_BLOCKS,
            Verdict.WRONG_SIGNATURE,
            "matmul",
        ),
        (
            f'{SQUARE}\n[launch]\nblock = [32]\ngrid = ["N // block_x", 1, 4]',
            SLICES_OF_C,
            Verdict.WRONG_ANSWER,
            "matmul",
        ),
        (SQUARE, ADDS, Verdict.WRONG_ANSWER, "matmul"),
        (*typed("char", "int", "uint8", "int32")[::2], Verdict.WRONG_ANSWER, "matmul"),
        (*typed("half", "float", "bfloat16", "float32")[::2], Verdict.WRONG_ANSWER, "matmul"),
        (
            f'parameters = ["v = 0", {", ".join(OF_A_STRUCT)}]'.replace("double 1.0, C", "C"),
            STRUCTS,
            Verdict.WRONG_SIGNATURE,
            "matmul",
        ),
        (SQUARE, TILES, Verdict.NO_KERNEL, "matmul"),
        (SQUARE, OF_ONE_TILE, Verdict.NO_KERNEL, "matmul<8, float, true>"),
    ],
)
def test_another_call_is_a_fault(call: str, kernel: str, expected: Verdict, name: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, call, [33], kernel, name) is expected


def test_a_course_brings_the_headers_that_its_files_include(tmp_path: Path) -> None:
    """Beside the file, in a folder of headers, in the folder above, and a name for which there is a stand-in."""
    (tmp_path / "include").mkdir()
    (tmp_path / "timer.h").write_bytes(b"// Timing by M\xfcller\n#pragma once\nstruct Timer { double start = 0.0; };\n")
    (tmp_path / "include" / "tile.cuh").write_text('#include "../timer.h"\n#define TILE 16\n')
    (tmp_path / "wb.h").write_text("static const int wbVersion = 3;\n")
    text = '#include "timer.h"\n#include <tile.cuh>\n#include "../include/tile.cuh"\n#include <wb.h>\n'
    text = (
        text.replace("<tile.cuh>", "<include/tile.cuh>")
        + ADDS
        + "int main() { return (int)Timer().start + wbVersion; }"
    )
    call = f'{SQUARE}\nstart = "zero"\n[files]\nheaders = ["timer.h", "include/tile.cuh", "wb.h"]'
    assert verdict(tmp_path, call, [33], text) is Verdict.OK
    assert verdict(tmp_path, f'{SQUARE}\nstart = "zero"', [33], text) is Verdict.COMPILE_ERROR


def test_a_header_of_the_course_may_have_the_name_of_one_of_c(tmp_path: Path) -> None:
    (tmp_path / "time.h").write_text("#include <time.h>\nstruct Timer { clock_t start; };\n")
    call = f'{SQUARE}\nstart = "zero"\n[files]\nheaders = ["time.h"]'
    text = f'#include <random>\n#include "time.h"\n{ADDS}int main() {{ return Timer().start > time(0); }}'
    assert verdict(tmp_path, call, [33], text) is Verdict.OK


def test_a_header_of_the_course_that_does_not_compile_costs_no_points(tmp_path: Path) -> None:
    (tmp_path / "timer.h").write_text("struct Timer { double start }\n")
    call = f'{SQUARE}\nstart = "zero"\n[files]\nheaders = ["timer.h"]'
    (tmp_path / "lab.toml").write_text(RUBRIC.format(name="matmul", call=call, sizes=[33]))
    report = lab.grade_here(f'#include "timer.h"\n{ADDS}'.encode(), load.load(tmp_path / "lab.toml"))
    assert "an empty kernel with <timer.h> does not compile" in report.infrastructure


def test_a_report_has_the_hashes_of_a_courses_headers_only(tmp_path: Path) -> None:
    (tmp_path / "timer.h").write_text("#pragma once\n")
    (tmp_path / "lab.toml").write_text(
        RUBRIC.format(name="matmul", call=f'{SQUARE}\n[files]\nheaders = ["timer.h"]', sizes=[33])
    )
    rubric = load.load(tmp_path / "lab.toml")
    (header,) = lab.grade_here(b"", rubric).rubric.headers
    assert (header.name, header.text, len(header.sha256)) == ("timer.h", "", 64)
    (tmp_path / "timer.h").write_text("#pragma once // changed\n")
    assert load.load(tmp_path / "lab.toml").sha256 != rubric.sha256
