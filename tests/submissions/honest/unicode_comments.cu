// expect: ok
// Comments and identifiers in other alphabets: Ελληνικά, 中文, عربى, naïve, 🙂, C = Σₖ A·B.
#include <lab.h>

// Матрица C получается из A и B. 行列の積。 Größe N × N, jede Zeile für sich.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    /* ∑ = 0 */ float größe = 0.0f;
    for (int k = 0; k < N; ++k)
        größe += A[row * N + k] * B[k * N + col];
    C[row * N + col] = größe;  // ✓
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
