#include <lab.h>

// Eight warps share 32 x 4 elements: each takes its own stretch of k and adds with atomics in shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float box[4 * 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int col = blockIdx.x * 32 + lane;
    const int row0 = blockIdx.y * 4;
    const int stretch = (N + 7) / 8;
    const int begin = warp * stretch, end = min(N, begin + stretch);

    if (threadIdx.x < 4 * 32)
        box[threadIdx.x] = 0.0f;
    __syncthreads();

    if (col < N) {
        for (int i = 0; i < 4 && row0 + i < N; ++i) {
            float s = 0.0f;
            for (int k = begin; k < end; ++k)
                s += A[(row0 + i) * N + k] * B[k * N + col];
            atomicAdd(box + i * 32 + lane, s);
        }
    }
    __syncthreads();

    if (warp < 4 && row0 + warp < N && col < N)
        C[(row0 + warp) * N + col] = box[warp * 32 + lane];
}

LAUNCH(.block = {256}, .tile = {32, 4});
