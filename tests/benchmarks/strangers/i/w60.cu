#include <lab.h>

#define BX 32
#define BY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    if (x >= N || y >= N)
        return;

    const float *rowA = &A[y * N];
    float sum = 0.0f;

    // four products per iteration -> fewer jumps
    for (int k = 0; k + 3 < N; k += 4) {
        sum += rowA[k]     * B[k * N + x];
        sum += rowA[k + 1] * B[(k + 1) * N + x];
        sum += rowA[k + 2] * B[(k + 2) * N + x];
        sum += rowA[k + 3] * B[(k + 3) * N + x];
    }
    // the rest
    for (int k = N / 4; k < N; k++)
        sum += rowA[k] * B[k * N + x];

    C[y * N + x] = sum;
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
