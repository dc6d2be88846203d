#include <lab.h>
#include <cuda_pipeline.h>

// cp.async with three stages in dynamic shared memory, zfill at the borders
#define DIMT 32
#define STAGES 3
#define STAGE_FLOATS (2 * DIMT * DIMT)

extern __shared__ float ring[];

__device__ void etape(float *s, const float *A, const float *B, int i0, int j0, int k0, int N)
{
    for (int y = threadIdx.y; y < DIMT; y += 8) {
        const int x = threadIdx.x;
        const bool okA = i0 + y < N && k0 + x < N;
        const bool okB = k0 + y < N && j0 + x < N;
        __pipeline_memcpy_async(&s[y * DIMT + x], okA ? &A[(i0 + y) * N + k0 + x] : A, 4, okA ? 0 : 4);
        __pipeline_memcpy_async(&s[DIMT * DIMT + y * DIMT + x], okB ? &B[(k0 + y) * N + j0 + x] : B, 4, okB ? 0 : 4);
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i0 = blockIdx.y * DIMT, j0 = blockIdx.x * DIMT;
    const int total = (N + DIMT - 1) / DIMT;
    float r[4] = {0.f, 0.f, 0.f, 0.f};

    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < total)
            etape(ring + s * STAGE_FLOATS, A, B, i0, j0, s * DIMT, N);
        __pipeline_commit();   // maybe empty
    }

    for (int s = 0; s < total; ++s) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();   // everybody's copies of stage s; and everybody has finished stage s - 1
        const int nx = s + STAGES - 1;
        if (nx < total)
            etape(ring + (nx % STAGES) * STAGE_FLOATS, A, B, i0, j0, nx * DIMT, N);
        __pipeline_commit();

        const float *a = ring + (s % STAGES) * STAGE_FLOATS;
        const float *b = a + DIMT * DIMT;
        #pragma unroll 8
        for (int k = 0; k < DIMT; ++k)
            for (int q = 0; q < 4; ++q)
                r[q] += a[(threadIdx.y + 8 * q) * DIMT + k] * b[k * DIMT + threadIdx.x];
    }

    for (int q = 0; q < 4; ++q) {
        const int i = i0 + threadIdx.y + 8 * q, j = j0 + threadIdx.x;
        if (i < N && j < N) C[i * N + j] = r[q];
    }
}

LAUNCH(.block = {DIMT, 8}, .tile = {DIMT, DIMT}, .shared = STAGES * STAGE_FLOATS * sizeof(float));
