#include <lab.h>
#include <cuda_pipeline.h>

#define BT 16
#define STAGES 2

__device__ __forceinline__ void fetch(float *dst, const float *src, bool inside)
{
    if (inside)
        __pipeline_memcpy_async(dst, src, sizeof(float));
    else
        *dst = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[STAGES][BT][BT];
    __shared__ float Bs[STAGES][BT][BT];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BT + ty;
    const int col = blockIdx.x * BT + tx;
    const int tiles = (N + BT - 1) / BT;

    fetch(&As[0][ty][tx], A + row * N + tx, row < N && tx < N);
    fetch(&Bs[0][ty][tx], B + ty * N + col, ty < N && col < N);
    __pipeline_commit();

    float acc = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            const int s = (t + 1) % STAGES;
            const int k = (t + 1) * BT;
            fetch(&As[s][ty][tx], A + row * N + k + tx, row < N && k + tx < N);
            fetch(&Bs[s][ty][tx], B + (k + ty) * N + col, k + ty < N && col < N);
        }
        __pipeline_commit();
        __pipeline_wait_prior(STAGES);
        __syncthreads();

        for (int k = 0; k < BT; ++k)
            acc += As[t % STAGES][ty][k] * Bs[t % STAGES][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {BT, BT}, .tile = {BT, BT});
