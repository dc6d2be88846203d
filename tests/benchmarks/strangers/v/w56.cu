#include <lab.h>

// B goes through shared memory with float4 loads where the size allows it.
#define ROWS_B 16
#define COLS_B 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float bt[ROWS_B][COLS_B];
    __shared__ float at[16][ROWS_B];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * COLS_B + 4 * tx;
    const bool wide = (N & 1) == 0;
    float4 c = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += ROWS_B) {
        at[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.f;

        const int kb = k0 + ty;
        if (wide && kb < N && col + 3 < N) {
            *(float4 *)&bt[ty][4 * tx] = *(const float4 *)&B[kb * N + col];
        } else {
            for (int i = 0; i < 4; i++)
                bt[ty][4 * tx + i] = (kb < N && col + i < N) ? B[kb * N + col + i] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < ROWS_B; k++) {
            const float a = at[ty][k];
            const float4 b = *(const float4 *)&bt[k][4 * tx];
            c.x += a * b.x;
            c.y += a * b.y;
            c.z += a * b.z;
            c.w += a * b.w;
        }
        __syncthreads();
    }

    if (row < N) {
        if (col + 0 < N) C[row * N + col + 0] = c.x;
        if (col + 1 < N) C[row * N + col + 1] = c.y;
        if (col + 2 < N) C[row * N + col + 2] = c.z;
        if (col + 3 < N) C[row * N + col + 3] = c.w;
    }
}

LAUNCH(.block = {16, 16}, .tile = {COLS_B, 16});
