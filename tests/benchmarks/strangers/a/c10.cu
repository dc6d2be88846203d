#include <lab.h>
#include <cuda_pipeline.h>

constexpr int TS = 32;

struct __align__(16) Stage {
    float a[TS][TS];
    float b[TS][TS];
};

// 256 threads copy 32 x 32 floats, four neighbours each
__device__ void fetch(float (*dst)[TS], const float *M, int r0, int c0, int N)
{
    const int y = threadIdx.x / 8;
    const int x = threadIdx.x % 8 * 4;
    const int r = r0 + y, c = c0 + x;

    if (N % 4 == 0) {
        const bool in = r < N && c < N;
        __pipeline_memcpy_async(&dst[y][x], in ? M + r * N + c : M, 16, in ? 0 : 16);
    } else {
        for (int i = 0; i < 4; ++i) {
            const bool in = r < N && c + i < N;
            __pipeline_memcpy_async(&dst[y][x + i], in ? M + r * N + c + i : M, 4, in ? 0 : 4);
        }
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stage[2];

    const int r0 = blockIdx.y * TS, c0 = blockIdx.x * TS;
    const int x = threadIdx.x % TS, y = threadIdx.x / TS;
    float acc[4] = {};

    fetch(stage[0].a, A, r0, 0, N);
    fetch(stage[0].b, B, 0, c0, N);
    __pipeline_commit();

    int now = 0;
    for (int k0 = 0; k0 < N; k0 += TS) {
        const int after = k0 + TS;
        if (after < N) {
            fetch(stage[now ^ 1].a, A, r0, after, N);
            fetch(stage[now ^ 1].b, B, after, c0, N);
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();

        for (int k = 0; k < TS; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += stage[now].a[y + 8 * i][k] * stage[now].b[k][x];
        __syncthreads();
        now ^= 1;
    }

    for (int i = 0; i < 4; ++i) {
        const int r = r0 + y + 8 * i, c = c0 + x;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {256}, .tile = {TS, TS});
