#include <lab.h>

/* Simple version, coalesced. x -> column, y -> row */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x*32 + threadIdx.x;
    int r = blockIdx.y*8 + threadIdx.y;
    float s = 0.0f;

    if (r >= N || c >= N) return;

    for (int k = 0; k != N; ++k)
        s += A[r*N + k] * B[k*N + c];

    C[r*N + c] = s;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
