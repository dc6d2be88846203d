// expect: ok
// One level of Strassen's algorithm whose seven products are added in double, and rounded to float once each.
#include <lab.h>

__device__ float at(const float *X, int row, int col, int N)
{
    return row < N && col < N ? X[row * N + col] : 0.0f;
}

__device__ double product(float a, float b)
{
    return (double)a * b;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = (N + 1) / 2;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= half || col >= half)
        return;

    double p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0;
    for (int k = 0; k < half; ++k) {
        float a11 = at(A, row, k, N), a12 = at(A, row, k + half, N);
        float a21 = at(A, row + half, k, N), a22 = at(A, row + half, k + half, N);
        float b11 = at(B, k, col, N), b12 = at(B, k, col + half, N);
        float b21 = at(B, k + half, col, N), b22 = at(B, k + half, col + half, N);
        p1 += product(a11 + a22, b11 + b22);
        p2 += product(a21 + a22, b11);
        p3 += product(a11, b12 - b22);
        p4 += product(a22, b21 - b11);
        p5 += product(a11 + a12, b22);
        p6 += product(a21 - a11, b11 + b12);
        p7 += product(a12 - a22, b21 + b22);
    }
    float m1 = p1, m2 = p2, m3 = p3, m4 = p4, m5 = p5, m6 = p6, m7 = p7;
    C[row * N + col] = m1 + m4 - m5 + m7;
    if (col + half < N)
        C[row * N + col + half] = m3 + m5;
    if (row + half < N)
        C[(row + half) * N + col] = m2 + m4;
    if (row + half < N && col + half < N)
        C[(row + half) * N + col + half] = m1 - m2 + m3 + m6;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
