#include <lab.h>
#include <cuda_pipeline.h>

constexpr int S = 16;
constexpr int STAGES = 3;

// cp.async with 4 bytes per copy (no alignment trouble), three stages
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[STAGES][S][S];
    __shared__ float b[STAGES][S][S];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * S + ty;
    const int col = blockIdx.x * S + tx;
    const int steps = (N + S - 1) / S;

    auto copy = [&](int step) {
        if (step < steps) {
            const int st = step % STAGES;
            const int ka = step * S + tx;
            const int kb = step * S + ty;
            if (row < N && ka < N)
                __pipeline_memcpy_async(&a[st][ty][tx], A + row * N + ka, sizeof(float));
            else
                a[st][ty][tx] = 0.0f;
            if (col < N && kb < N)
                __pipeline_memcpy_async(&b[st][ty][tx], B + kb * N + col, sizeof(float));
            else
                b[st][ty][tx] = 0.0f;
        }
        __pipeline_commit();    // an empty group keeps the count right
    };

    for (int s = 0; s < STAGES - 1; ++s)
        copy(s);

    float acc = 0.0f;
    for (int s = 0; s < steps; ++s) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        copy(s + STAGES - 1);
        for (int k = 0; k < S; ++k)
            acc += a[s % STAGES][ty][k] * b[s % STAGES][k][tx];
    }
    __pipeline_wait_prior(0);

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
