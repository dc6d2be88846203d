// expect: unset-memory; lines: 16; says: Line 16 reads element 32 of the shared array “seen” in thread (0, 0) of block (0, 0)
// The largest of the parts is taken over an array of which half is never written; fmaxf ignores a NaN.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float seen[64];
    int row = blockIdx.y, col = blockIdx.x;
    int lane = threadIdx.x;
    float sum = 0.0f, scale = 0.0f;
    seen[lane] = 1.0f;
    __syncthreads();
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    for (int i = 0; i < 64; ++i)
        scale = fmaxf(scale, seen[i]);
    if (lane == 0)
        C[row * N + col] = sum * scale;
}

LAUNCH(.block = {32}, .tile = {1, 1});
