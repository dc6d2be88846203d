#include <lab.h>

constexpr int kSplit = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col   = blockIdx.x * 32 + threadIdx.x;
    const int row   = blockIdx.y * 4 + threadIdx.y;
    const int slice = threadIdx.z;
    const bool mine = row < N && col < N;

    if (mine && slice == 0)
        C[row * N + col] = 0.0f;

    // the last slice takes the remainder
    const int len   = N / kSplit;
    const int begin = slice * len;
    const int end   = slice == kSplit - 1 ? N : begin + len;

    float part = 0.0f;
    if (mine)
        for (int k = begin; k < end; ++k)
            part += A[row * N + k] * B[k * N + col];

    if (mine)
        atomicAdd(C + row * N + col, part);
}

LAUNCH(.block = {32, 4, kSplit}, .tile = {32, 4});
