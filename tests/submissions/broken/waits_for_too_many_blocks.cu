// expect: launch-failed; says: wait for each other
// A block of 1024 threads for each 4 x 4 elements: no GPU holds all blocks of 257 x 257 elements at a time.
#include <cooperative_groups.h>
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 4 + threadIdx.y, column = blockIdx.x * 4 + threadIdx.x;
    bool is_mine = threadIdx.x < 4 && threadIdx.y < 4 && row < N && column < N;
    if (is_mine)
        C[row * N + column] = 0.0f;
    cooperative_groups::this_grid().sync();
    if (!is_mine)
        return;
    float sum = C[row * N + column];
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + column];
    C[row * N + column] = sum;
}

LAUNCH(.block = {32, 32}, .tile = {4, 4});
