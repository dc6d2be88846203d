// expect: wrong-answer
// The reduction in a warp ends at a distance of 2: half of the lanes are left out.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y, col = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (col >= N) return;
    float s = 0;
    for (int k = lane; k < N; k += 32) s += A[row * N + k] * B[k * N + col];
    for (int o = 16; o > 1; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (lane == 0) C[row * N + col] = s;
}
LAUNCH(.block = {256}, .tile = {8, 1});
