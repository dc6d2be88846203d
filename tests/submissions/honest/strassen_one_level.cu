// expect: ok
// One level of Strassen's algorithm: seven products of half the length give four elements of C.
#include <lab.h>

__device__ float at(const float *X, int row, int col, int N)
{
    return row < N && col < N ? X[row * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = (N + 1) / 2;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= half || col >= half)
        return;

    float m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0;
    for (int k = 0; k < half; ++k) {
        float a11 = at(A, row, k, N), a12 = at(A, row, k + half, N);
        float a21 = at(A, row + half, k, N), a22 = at(A, row + half, k + half, N);
        float b11 = at(B, k, col, N), b12 = at(B, k, col + half, N);
        float b21 = at(B, k + half, col, N), b22 = at(B, k + half, col + half, N);
        m1 += (a11 + a22) * (b11 + b22);
        m2 += (a21 + a22) * b11;
        m3 += a11 * (b12 - b22);
        m4 += a22 * (b21 - b11);
        m5 += (a11 + a12) * b22;
        m6 += (a21 - a11) * (b11 + b12);
        m7 += (a12 - a22) * (b21 + b22);
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
