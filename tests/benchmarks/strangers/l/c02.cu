// 64 threads, 64 x 64 elements of C: 8 x 8 in the registers of each thread, 8 apart.
#include <lab.h>

#define EDGE 64
#define K_STEP 8
#define FOR8(i) _Pragma("unroll") for (int i = 0; i < 8; ++i)

extern "C" __global__ void __launch_bounds__(64) matmul(const float *__restrict__ A, const float *__restrict__ B,
                                                        float *__restrict__ C, int N)
{
    __shared__ float at[K_STEP][EDGE + 1];
    __shared__ float bt[K_STEP][EDGE];
    const int t = threadIdx.x;
    const int tr = t >> 3, tc = t & 7;
    const int top = blockIdx.y * EDGE, left = blockIdx.x * EDGE;

    float c[8][8];
    FOR8(i) FOR8(j) c[i][j] = 0.0f;

    for (int base = 0; base < N; base += K_STEP) {
        FOR8(i)
        {
            const int r = top + 8 * i + tr, k = base + tc;
            at[tc][8 * i + tr] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        FOR8(i)
        {
            const int k = base + i, col = left + t;
            bt[i][t] = k < N && col < N ? B[k * N + col] : 0.0f;
        }
        __syncthreads();
        FOR8(k)
        {
            float a[8], b[8];
            FOR8(i) a[i] = at[k][tr + 8 * i];
            FOR8(j) b[j] = bt[k][tc + 8 * j];
            FOR8(i) FOR8(j) c[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    FOR8(i) FOR8(j)
    {
        const int r = top + tr + 8 * i, col = left + tc + 8 * j;
        if (r < N && col < N)
            C[r * N + col] = c[i][j];
    }
}

LAUNCH(.block = {64}, .tile = {EDGE, EDGE});
