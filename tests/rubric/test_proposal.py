"""Rubrics that are proposed for courses' own programs."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.model import Header, Shape
from grader.rubric import load
from grader.rubric.proposal import proposed

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "a square product": (
        """
        #define BLOCK 8
        __global__ void fill(float *x) {}
        __global__ void matMul(const float *__restrict__ left, const float *right, float *result, unsigned int width) {}
        int main() {
            int n = 1 << 10;
            dim3 threads(BLOCK, BLOCK);  // 64 of them
            dim3 blocks((n + threads.x - 1) / threads.x, (n + BLOCK - 1) / BLOCK);
            matMul<<<blocks, threads>>>(d_a, d_b, d_c, n);
        }
        """,
        {"name": "matMul", "parameters": ["A", "B", "C", "N"], "launch": {"block": [8, 8]}, "sizes": [33, 64, 130]},
    ),
    "rectangles, and a grid that rounds down": (
        """
        template <int TILE, typename T> __global__ void gemm(T *C, T *A, T *B, int wA, int wB, int from, T scale) {}
        void run(int hA, int wA, int wB) {
            const int TILE = 32;
            gemm<TILE, double><<<dim3(wB / TILE, hA / TILE), dim3(TILE, TILE)>>>(C, A, B, wA, wB, 0, 1);
        }
        """,
        {
            "name": "gemm<32, double>",
            "parameters": ["C", "A", "B", "K", "N", "from = 0", "scale = 1.0"],
            "types": "float64",
            "launch": {"block": [32, 32]},
            "sizes": [[64, 256, 128], 64, 128, 256],
        },
    ),
    "a grid of one dimension, and zeros": (
        """
        #include "timer.h"
        #include <stdio.h>
        __constant__ int pitch;
        __global__ void multiply(float *a, float *b, float *c, int n) {}
        void run(float *out, int n) {
            int threads = 256, total = n * n;
            cudaMemset(out, 0, n * n * sizeof(float));
            cudaMemcpyToSymbol(pitch, &n, sizeof(int));
            multiply<<<ceil(n * n / 256.0), 256, 256 * sizeof(float)>>>(a, b, out, n);
        }
        """,
        {
            "parameters": ["A", "B", "C", "N"],
            "launch": {"block": [256], "grid": ["ceil(N * N / 256.0)"], "shared": 1024},
            "symbols": ["pitch = N"],
            "start": "zero",
        },
    ),
    "structs": (
        """
        struct Matrix { int height, width; float *data; };
        __global__ void product(Matrix x, Matrix y, Matrix z) {}
        void run(Matrix A, Matrix B, Matrix C) {
            dim3 block = dim3(16, 16), grid(B.width / 16, A.height / 16);
            dim3 blocks(B.width / 16, A.height / 16);
            product<<<blocks, dim3(16, 16)>>>(A, B, C);
        }
        """,
        {"parameters": ["x = {M, K, A}", "y = {K, N, B}", "z = {M, N, C}"], "launch": {"block": [16, 16]}},
    ),
    "several variables in a line, and none of a loop": (
        """
        __global__ void gemm(float *a, float *b, float *c, int wA, int wB) { if (wA) {} }
        void run(int size) {
            for (int k = 0; k < 9; k++) {}
            int m = size, n = size, k = size;
            dim3 grid((int)ceil(k * 1.0 / 16), (int)ceil(m * 1.0 / 16)), block(16, 16);
            gemm<<<grid, block>>>(a, b, c, m, n);
        }
        """,
        {"parameters": ["A", "B", "C", "K", "N"], "launch": {"block": [16, 16]}},
    ),
    "extents that are set one by one, of a product whose columns are k": (
        """
        __global__ void gemm(float *a, float *b, float *c, int m, int n, int k) { if (m) {} }
        void run(int m, int n, int k) {
            dim3 threads, blocks;
            threads.x = 8; threads.y = 4;
            blocks.x = (k + threads.x - 1) / threads.x;
            blocks.y = (m + threads.y - 1) / threads.y;
            gemm<<<blocks, threads>>>(a, b, c, m, n, k);
        }
        """,
        {
            "parameters": ["A", "B", "C", "M", "K", "N"],
            "launch": {"block": [8, 4]},
            "sizes": [[33, 130, 64], 33, 64, 130],
        },
    ),
    "one block for a small size": (
        """
        #define SIDE 4
        __global__ void multiply(int *a, int *b, int *c, int n) {}
        int main() { int n = SIDE; multiply<<<1, dim3(SIDE, SIDE)>>>(a, b, c, n); }
        """,
        {"launch": {"block": [4, 4]}, "sizes": [4]},
    ),
    "a thread for each of a few elements": (
        """
        __global__ void multiply(int *a, int *b, int *c, int n) {}
        int main() { multiply<<<10, 10>>>(a, b, c, 3); }
        """,
        {"launch": {"block": [10], "grid": [10]}, "sizes": [10]},
    ),
    "too few threads for the only size": (
        """
        #define LENGTH 64
        __global__ void multiply(int *a, int *b, int *c) { c[LENGTH] = 0; }
        int main() { multiply<<<dim3(2, 2), dim3(2, 2)>>>(a, b, c); }
        """,
        {"launch": {"block": [2, 2], "grid": [2, 2]}, "sizes": [64]},
    ),
    "one thread, of which the size says nothing": (
        """
        __global__ void multiply(int *a, int *b, int *c, int n) {}
        int main() { multiply<<<1, 1>>>(a, b, c, 3); }
        """,
        {"launch": {"block": [1], "grid": [1]}, "sizes": [16, 24, 32]},
    ),
    "whole tiles of ten, and a template of host constants": (
        """
        template <const uint SIDE, const uint AREA> __global__ void multiply(int *a, int *b, int *c, uint n) {}
        void run(uint n) {
            constexpr uint SIDE = 10, AREA = SIDE * SIDE;
            multiply<SIDE, AREA><<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE)>>>(a, b, c, n);
        }
        """,
        {"name": "multiply<10, 100>", "launch": {"block": [10, 10]}, "sizes": [20, 40, 60]},
    ),
    "more threads in a block than a GPU accepts": (
        """
        #define SIDE 128
        __global__ void multiply(float *a, float *b, float *c, int n) {}
        void run(int n) { multiply<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE)>>>(a, b, c, n); }
        """,
        {"parameters": ["A", "B", "C", "N"]},
    ),
    "constants of a product that is not square": (
        """
        const int m = 20, n = 20, p = 5;
        __global__ void mm(int *a, int *b, int *c) { if (threadIdx.y < m && threadIdx.x < p) c[0] = n; }
        void run() { mm<<<dim3(m / 5, m / 5), dim3(5, 5)>>>(a, b, c); }
        """,
        {"parameters": ["A", "B", "C"], "sizes": [20], "remarks": 1},
    ),
    "three constants, one of which only the launch has": (
        """
        const int M = 1 << 10;
        #define N 2048
        #define INNER 512
        __global__ void mm(float *a, float *b, float *c) { c[threadIdx.x * N] = a[INNER] + b[N]; }
        void run() { mm<<<dim3(M / 32, N / 32), dim3(32, 32)>>>(a, b, c); }
        """,
        {
            "sizes": [[128, 256, 64]],
            "constants": ["M = 128", "N = 256", "INNER = 64"],
            "launch": {"block": [32, 32], "grid_x": "rows"},
            "remarks": 1,
        },
    ),
    "a size that is a constant": (
        """
        #define N 512
        __global__ void mm(float a[N][N], float b[N][N], float c[N][N]) { c[0][threadIdx.x % N] = a[0][0]; }
        void run() { mm<<<N, N>>>(a, b, c); }
        """,
        {"parameters": ["A", "B", "C"], "sizes": [512], "launch": {"block": [512], "grid": [512]}},
    ),
    "the launch of several that is nearest, in the format of an editor, and a block above other functions": (
        """
        __global__ void clear(float *x) { x[threadIdx.x] = 0; }
        const dim3 threads{8, 8};
        __global__ void mulAll(double *a, double *b, double *c, int order) { if (threadIdx.x < order) c[0] = a[0]; }
        void before() { dim3 blocks(2, 5), threads(64); clear<<<blocks, threads>>>(x); }
        void run(int n) {
            dim3 blocks((n + 7) / 8, (n + 7) / 8);
            mulAll << <blocks, threads >> > (a, b, c, n);
        }
        void after() { dim3 blocks(9), threads(3); clear<<<blocks, threads>>>(x); }
        """,
        {"name": "mulAll", "launch": {"block": [8, 8]}, "sizes": [33, 64, 130], "types": "float64"},
    ),
    "tiles in shared memory, and a sum on top of C": (
        """
        typedef float real;
        template <int T, typename Unused> __global__ void mulTiles(real *a, real *b, real *c, int n, real scale, bool t)
        {
            __shared__ real left[T][T + 1];
            for (int k = 0; k < n; k += T) atomicAdd(&c[k], a[k] * b[k]);
        }
        void run(int n) { mulTiles<8, int><<<blocks_of(n), threads_of(n)>>>(a, b, out, n, 1, false); }
        """,
        {
            "name": "mulTiles<8, int>",
            "parameters": ["A", "B", "C", "N", "scale = 1.0", "t = 0"],
            "launch": {"block": [8, 8]},
            "sizes": [64, 128, 256],
            "start": "zero",
        },
    ),
    "a constant of the kernel, of any name": (
        """
        #define EDGE (3 * STRIP)
        #define STRIP 32
        #define TILE_EDGE 999
        __global__ void mm(int *a, int *b, int *c) { if (threadIdx.x < EDGE) c[threadIdx.x] = a[0] + TILE_EDGE; }
        void run() { mm<<<dim3(3, 6), dim3(32, 16)>>>(a, b, c); }
        """,
        {"parameters": ["A", "B", "C"], "sizes": [96], "launch": {"block": [32, 16]}},
    ),
    "a constant that takes long": (
        """
        const int order = 4096;
        __global__ void mm(float *a, float *b, float *c) { if (threadIdx.x < order) c[0] = a[0] * b[0]; }
        void run() { mm<<<dim3(order / 16, order / 16), dim3(16, 16)>>>(a, b, c); }
        """,
        {"sizes": [128], "constants": ["order = 128"], "launch": {"block": [16, 16]}, "remarks": 1},
    ),
    "sizes of the program that the kernel does not take": (
        """
        __global__ void mm(int *a, int *b, int *c, int M, int K) {}
        void launch(int *a, int *b, int *c, int N, int M, int K) {
            mm<<<dim3(M / 8, N / 8), dim3(8, 8)>>>(a, b, c, M, K);
        }
        int main() { int N = 16, K = 8, M = 8; launch(0, 0, 0, N, M, K); }
        """,
        {"parameters": ["A", "B", "C", "M", "K"], "launch": {"block": [8, 8]}, "sizes": [64, 128, 256]},
    ),
    "a block of a size in floating point, and a product added to arrays of arrays": (
        """
        #define SIDE 1000
        __global__ void mm(int a[SIDE][SIDE], int b[SIDE][SIDE], int c[SIDE][SIDE], int width) { c[0][0] += 1; }
        int main() {
            int size = SIDE;
            float threads = 1 << 8;
            mm<<<dim3(size, 1), dim3(threads)>>>(a, b, c, size);
        }
        """,
        {"parameters": ["A", "B", "C", "N"], "start": "zero", "launch": {"block": [256], "grid": ["N", 1]}},
    ),
    "a grid in numbers for one rectangle": (
        """
        __global__ void mm(float *a, float *b, float *c, int m, int n, int k) { if (m) {} }
        int main() { mm<<<dim3(8, 32), dim3(16, 16)>>>(a, b, c, 512, 128, 256); }
        """,
        {"launch": {"block": [16, 16]}, "remarks": 1},
    ),
    "a height and a width": (
        "__global__ void mm(float *m, float *n, float *out, int h, int w, int k) { if (h) {} }",
        {"parameters": ["A", "B", "C", "M", "N", "K"], "remarks": 0},
    ),
    "one block, and an argument with a comma operator": (
        """
        __global__ void mm(int *a, int *b, int *c, int n) { if (n) c[0] = 1; }
        void run(int n) { mm<<<1, dim3(n, n), (n, 4)>>>(a, b, c, n); }
        """,
        {"sizes": [16, 24, 32], "launch": {"block": ["N", "N"], "grid": [1]}},
    ),
    "blocks that are exchanged, and have the same number at other sizes": (
        """
        __global__ void mm(float *a, float *b, float *c, int rowsA, int colsA, int colsB) { if (rowsA) {} }
        void run(int rowsA, int colsA, int colsB) {
            dim3 threads(32, 32), blocks((rowsA - 1) / 32 + 1, (colsB - 1) / 32 + 1);
            mm<<<blocks, threads>>>(a, b, c, rowsA, colsA, colsB);
        }
        """,
        {"launch": {"block": [32, 32], "grid_x": "rows"}, "sizes": [[33, 130, 64], 33, 64, 130]},
    ),
    "three sizes, of which the last has a name of its own": (
        """
        __global__ void mm(float *a, float *b, float *c, int m, int n, int p) { if (m) {} }
        void run(int m, int n, int p) {
            dim3 blocks(ceil(p / static_cast<float>(16)), ceil(m / static_cast<float>(16)));
            mm<<<blocks, dim3(16, 16)>>>(a, b, c, m, n, p);
        }
        """,
        {"parameters": ["A", "B", "C", "M", "K", "N"], "launch": {"block": [16, 16]}, "remarks": 1},
    ),
    "three sizes of unknown names, for a single thread": (
        """
        __global__ void mm(float *a, float *b, float *c, int dim_l, int dim_m, int dim_n) {}
        int main() { mm<<<1, 1>>>(a, b, c, L, L, L); }
        """,
        {"parameters": ["A", "B", "C", "M", "K", "N"], "sizes": [[16, 32, 24], 16, 24, 32], "remarks": 1},
    ),
    "a template that is as wide as the block in one of two launches": (
        """
        template <int SIDE> __global__ void mm(float *c, float *a, float *b, int wA, int wB) {}
        void run(dim3 A, dim3 B) {
            int side = 32;
            dim3 threads(side, side), blocks(B.x / threads.x, A.y / threads.y);
            if (side == 16) mm<16><<<blocks, threads>>>(c, a, b, A.x, B.x);
            else mm<32><<<blocks, threads>>>(c, a, b, A.x, B.x);
        }
        """,
        {"name": "mm<32>", "launch": {"block": [32, 32]}},
    ),
    "the first matrix is stored, a size is a field, and the side may come from the command line": (
        """
        __global__ void mm(int *a, int *b, int *c, int rows1, int cols2, int shared_dim) { if (*c) a[0] += b[0]; }
        void run(Size *x, Size *y, int argc, char **argv) {
            int side = 16;
            if (argc > 1) side = atoi(argv[1]);
            mm<<<dim3(y->cols / side + 1, x->rows / side + 1), dim3(side, side)>>>(p, q, r, x->rows, y->cols, x->cols);
        }
        """,
        {
            "parameters": ["C", "A", "B", "M", "N", "shared_dim = K"],
            "start": "zero",
            "launch": {"block": [16, 16], "grid": ["N // 16 + 1", "M // 16 + 1"]},
            "remarks": 2,  # of shared_dim, and of C, which is not set
        },
    ),
    "whole vectors, in spite of a condition": (
        """
        const bool fast = false;
        template <int T, bool FAST>
        __global__ void mm(float *a, float *b, float *c, int n, int block_size) { if (n) *(float4 *)c = *(float4 *)a; }
        void run(int n) { int side = 8; mm<8,
            fast><<<dim3(n / side, n / side), side * side>>>(a, b, c, n, side); }
        """,
        {"name": "mm<8, false>", "parameters": ["A", "B", "C", "N", "block_size = 8"], "sizes": [64, 128, 256]},
    ),
    "factors": (
        """
        __global__ void gemm(int n, float alpha, const float *A, const float *B, float beta, float *C) {}
        void run(int n, float alpha) { float beta = -.5f; gemm<<<dim3(n), 64>>>(n, alpha, a, b, beta, c); }
        """,
        {"parameters": ["N", "alpha", "A", "B", "beta", "C"], "alpha": None, "beta": -0.5, "remarks": 1},
    ),
    "what is not certain": (
        "__global__ void mm(half *a, Scalar *b, float *c, float *extra, int rows, int blockSide, float scale, "
        "int beta) {}",
        {
            "parameters": ["A", "B", "C", "extra = null", "M", "blockSide = tile_x", "scale = 1.0", "beta = 0"],
            "remarks": 3,
        },
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_proposal_describes(name: str, tmp_path: Path) -> None:
    source, expected = PROGRAMS[name]
    text = proposed(source)
    table = tomllib.loads(text)
    given = {**table["kernel"], "sizes": table["sizes"]["correctness"], "launch": table.get("launch")}
    given |= {"headers": table.get("files", {}).get("headers"), "types": table["kernel"]["types"]["C"]}
    given["remarks"] = text.count("# To check: ")
    assert {name: given.get(name) for name in expected} == expected
    for header in given["headers"] or ():
        (tmp_path / header).touch()
    (tmp_path / "lab.toml").write_text(text)
    if name != "what is not certain":
        assert load.load(tmp_path / "lab.toml").launch.at(Shape(64, 64, 64))


def test_headers_of_the_program_are_read_and_listed() -> None:
    header = Header("lab/square.h", "", "struct Square { int rows, cols; float *data; };\n#define SIDE 8")
    source = (
        "__global__ void matMul(Square M, Square N, Square P) {}\n"
        "void run(int n) { matMul<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE)>>>(x, y, z); }"
    )
    table = tomllib.loads(proposed(source, "", [header]))
    assert table["files"]["headers"] == ["lab/square.h"]
    assert table["kernel"]["parameters"] == ["A = {M, K, A}", "B = {K, N, B}", "P = {M, N, C}"]
    assert table["launch"]["block"] == [8, 8]


def test_a_program_without_the_kernel_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no kernel in the file") as caught:
        proposed("int main() {}")
    assert "a file beside" in caught.value.hint
    with pytest.raises(UsageError, match="There is no kernel mul") as caught:
        proposed(PROGRAMS["structs"][0], "mul")
    assert "product" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["f<<<a>>>(" * 7000, "__global__ void f(" * 5000, "dim3 a(" * 9000, "struct {" * 9000, "typedef a " * 9000]
)
def test_hostile_text_takes_no_time_of_its_own(text: str) -> None:
    with pytest.raises(UsageError):
        proposed(text)
