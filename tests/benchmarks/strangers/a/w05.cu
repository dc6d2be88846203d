#include <lab.h>

constexpr int BM = 32;
constexpr int BN = 32;
constexpr int BK = 32;

constexpr int A_FLOATS = BM * BK;
constexpr int B_FLOATS = BK * BN;
constexpr unsigned STAGE_BYTES = (A_FLOATS + B_FLOATS) * sizeof(float);

extern __shared__ float pool[];

__device__ float *stageA(int stage)
{
    return pool + stage * STAGE_BYTES;
}

__device__ float *stageB(int stage)
{
    return stageA(stage) + A_FLOATS;
}

__device__ void fill(int stage, const float *A, const float *B, int r0, int c0, int k0, int N)
{
    const int x = threadIdx.x;
    float *a = stageA(stage);
    float *b = stageB(stage);
    for (int y = threadIdx.y; y < 32; y += 8) {
        a[y * BK + x] = (r0 + y < N && k0 + x < N) ? A[(r0 + y) * N + k0 + x] : 0.0f;
        b[y * BN + x] = (k0 + y < N && c0 + x < N) ? B[(k0 + y) * N + c0 + x] : 0.0f;
    }
}

// two stages: while one is used, the other one is filled
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = threadIdx.x, y = threadIdx.y;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float acc[4] = {};
    int stage = 0;

    fill(0, A, B, r0, c0, 0, N);
    __syncthreads();

    for (int k0 = 0; k0 < N; k0 += BK) {
        if (k0 + BK < N)
            fill(stage ^ 1, A, B, r0, c0, k0 + BK, N);

        const float *a = stageA(stage);
        const float *b = stageB(stage);
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += a[(y + 8 * i) * BK + k] * b[k * BN + x];
        __syncthreads();
        stage ^= 1;
    }

    for (int i = 0; i < 4; ++i)
        if (r0 + y + 8 * i < N && c0 + x < N)
            C[(r0 + y + 8 * i) * N + c0 + x] = acc[i];
}

LAUNCH(.block = {32, 8}, .tile = {BN, BM}, .shared = 2 * STAGE_BYTES);
