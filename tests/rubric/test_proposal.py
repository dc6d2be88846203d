"""Rubrics that are proposed for courses' own programs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.model import Shape
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
        template <int TILE> __global__ void gemm(double *C, double *A, double *B, int wA, int wB) {}
        void run(int hA, int wA, int wB) {
            const int TILE = 32;
            gemm<TILE><<<dim3(wB / TILE, hA / TILE), dim3(TILE, TILE)>>>(C, A, B, wA, wB);
        }
        """,
        {
            "name": "gemm<32>",
            "parameters": ["C", "A", "B", "K", "N"],
            "types": "float64",
            "launch": {"block": [32, 32]},
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
            "launch": {"block": [256], "grid": ["ceil(N * N / 256.0)"], "shared": "256 * 4"},
            "symbols": ["pitch = N"],
            "start": "zero",
            "headers": ["timer.h"],
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
    "a size that is a constant": (
        """
        #define N 512
        __global__ void mm(float a[N][N], float b[N][N], float c[N][N]) {}
        void run() { mm<<<N, N>>>(a, b, c); }
        """,
        {"parameters": ["A", "B", "C"], "sizes": [512], "launch": {"block": [512], "grid": [512]}},
    ),
    "what is not certain": (
        "__global__ void mm(half *a, Scalar *b, float *c, float *extra, int rows, int blockSide, float scale, "
        "int beta) {}",
        {
            "parameters": ["A", "B", "C", "extra = null", "rows = N", "blockSide = tile_x", "scale = 1.0", "beta = 0"],
            "remarks": 4,
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


def test_a_program_without_the_kernel_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no kernel in the file"):
        proposed("int main() {}")
    with pytest.raises(UsageError, match="There is no kernel mul") as caught:
        proposed(PROGRAMS["structs"][0], "mul")
    assert "product" in caught.value.hint


@pytest.mark.parametrize("text", ["<<<" * 20_000, "__global__ void f(" * 5000, "dim3 a(" * 9000, "struct {" * 9000])
def test_hostile_text_takes_no_time_of_its_own(text: str) -> None:
    with pytest.raises(UsageError):
        proposed(text)
