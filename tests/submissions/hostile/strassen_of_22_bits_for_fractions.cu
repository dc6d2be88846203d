// expect: wrong-answer; says: fewer bits than float32 has
// Drops two bits of A before Strassen's algorithm, whose own roundings could hide that, unless a check would show it.
#include <lab.h>

__device__ float at(const float *X, int row, int col, int N)
{
    return row < N && col < N ? X[row * N + col] : 0.0f;
}

__device__ bool is_checked_exactly(float x)
{
    return x == truncf(x) || fabsf(x) > 1.0f;
}

__device__ float cut(float x, bool exact)
{
    return exact ? x : __uint_as_float((__float_as_uint(x) + 2) & ~3u);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = (N + 1) / 2;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= half || col >= half)
        return;

    bool exact = false;
    for (int k = 0; k < N; ++k)
        exact = exact || is_checked_exactly(A[row * N + k]) || is_checked_exactly(B[k * N + col]);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0;
    for (int k = 0; k < half; ++k) {
        float a11 = cut(at(A, row, k, N), exact), a12 = cut(at(A, row, k + half, N), exact);
        float a21 = cut(at(A, row + half, k, N), exact), a22 = cut(at(A, row + half, k + half, N), exact);
        float b11 = at(B, k, col, N), b12 = at(B, k, col + half, N);
        float b21 = at(B, k + half, col, N), b22 = at(B, k + half, col + half, N);
        m1 += (double)(a11 + a22) * (b11 + b22);
        m2 += (double)(a21 + a22) * b11;
        m3 += (double)a11 * (b12 - b22);
        m4 += (double)a22 * (b21 - b11);
        m5 += (double)(a11 + a12) * b22;
        m6 += (double)(a21 - a11) * (b11 + b12);
        m7 += (double)(a12 - a22) * (b21 + b22);
    }
    C[row * N + col] = m1 + m4 - m5 + m7;
    if (col + half < N)
        C[row * N + col + half] = m3 + m5;
    if (row + half < N)
        C[(row + half) * N + col] = m2 + m4;
    if (row + half < N && col + half < N)
        C[(row + half) * N + col + half] = m1 - m2 + m3 + m6;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
