#include <lab.h>

// 32x32 tile, 32x8 threads, 4 rows per thread.
// flat arrays in shared memory so that I can pad them
constexpr int TILE = 32;
constexpr int STEP = 8;
constexpr int LDS = TILE + 1;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * LDS];
    __shared__ float Bs[TILE * LDS];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row0 = blockIdx.y * TILE + ty;

    float sum[TILE / STEP] = {0.0f};

    for (int t = 0; t < N; t += TILE) {
        for (int j = 0; j < TILE; j += STEP) {
            int ra = row0 + j;
            int rb = t + ty + j;
            As[(ty + j) * LDS + tx] = (ra < N && t + tx < N) ? A[ra * N + t + tx] : 0.0f;
            Bs[(ty + j) * LDS + tx] = (rb < N && col < N) ? B[rb * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            float b = Bs[k * LDS + tx];
            for (int j = 0; j < TILE; j += STEP)
                sum[j / STEP] += As[(ty + j) * TILE + k] * b;
        }
        __syncthreads();
    }

    for (int j = 0; j < TILE; j += STEP)
        if (row0 + j < N && col < N)
            C[(row0 + j) * N + col] = sum[j / STEP];
}

LAUNCH(.block = {TILE, STEP}, .tile = {TILE, TILE});
