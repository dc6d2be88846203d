#include <lab.h>

#define TS 16
#define STAGE (2 * TS * TS)

extern __shared__ float stages[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty;
    const int col = blockIdx.x * TS + tx;
    const int tiles = (N + TS - 1) / TS;
    float sum = 0.0f;

    for (int t = 0; t < tiles; ++t) {
        float *a = stages + (t & 1) * STAGE;
        float *b = a + TS * TS;
        const int ka = t * TS + tx, kb = t * TS + ty;
        a[ty * TS + tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[ty * TS + tx] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TS; ++k)
            sum += a[ty * TS + k] * b[k * TS + tx];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .shared = 2 * STAGE * sizeof(float));
