// cp.async with a ring of three stages and one barrier per stage
#include <lab.h>
#include <cuda_pipeline.h>

#define S 3
#define T 32
#define H 8

typedef float Tile[T][T];

__device__ void start(Tile &dst, const float *src, int r0, int c0, int N)
{
    const int c = c0 + threadIdx.x;
    for (int i = threadIdx.y; i < T; i += H)
        if (r0 + i < N && c < N)
            __pipeline_memcpy_async(&dst[i][threadIdx.x], &src[(r0 + i) * N + c], sizeof(float));
        else
            dst[i][threadIdx.x] = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile a[S], b[S];
    const int R = blockIdx.y * T, Q = blockIdx.x * T;
    const int tiles = (N - 1) / T + 1;

    auto issue = [&](int t) {
        if (t < tiles) {
            start(a[t % S], A, R, t * T, N);
            start(b[t % S], B, t * T, Q, N);
        }
        __pipeline_commit();   // empty at the end, so that the count stays the same
    };

    float acc[T / H] = {};
    for (int t = 0; t < S - 1; ++t)
        issue(t);
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(S - 2);
        __syncthreads();
        issue(t + S - 1);
        const Tile &ta = a[t % S], &tb = b[t % S];
        #pragma unroll 4
        for (int k = 0; k < T; ++k)
            for (int i = 0; i < T / H; ++i)
                acc[i] += ta[threadIdx.y + i * H][k] * tb[k][threadIdx.x];
    }

    for (int i = 0; i < T / H; ++i) {
        const int r = R + threadIdx.y + i * H, c = Q + threadIdx.x;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {T, H}, .tile = {T, T});
