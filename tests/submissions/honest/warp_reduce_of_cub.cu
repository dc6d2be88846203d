// expect: ok
// A warp computes one element, and the class of CUB adds up what its lanes have.
#include <cub/cub.cuh>
#include <lab.h>

#define WARP 32
#define ROWS 4

using Reduce = cub::WarpReduce<float>;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ typename Reduce::TempStorage storage[ROWS];
    int row = blockIdx.y * ROWS + threadIdx.y;
    int col = blockIdx.x;
    if (row >= N)
        return;  // the whole warp, since its threads share a row

    float part = 0.0f;
    for (int k = threadIdx.x; k < N; k += WARP)
        part += A[row * N + k] * B[k * N + col];
    float sum = Reduce(storage[threadIdx.y]).Sum(part);
    if (threadIdx.x == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WARP, ROWS}, .tile = {1, ROWS});
