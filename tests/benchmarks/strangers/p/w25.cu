#include <lab.h>

/* Skalarprodukt einer Zeile mit einer Spalte (Abstand n) */
static float skalarprodukt(const float *zeile, const float *spalte, int n)
{
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += zeile[k] * spalte[k * n];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int z = blockIdx.y * blockDim.y + threadIdx.y;
    const int s = blockIdx.x * blockDim.x + threadIdx.x;

    if (z < N && s < N)
        C[z * N + s] = skalarprodukt(A + z * N, B + s, N);
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
