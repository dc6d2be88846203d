#include <lab.h>

#define TS 32
#define STRIDE (TS + 1)

extern __shared__ float buffer[];

// B's tile is transposed on its way into shared memory: one column of it lies in one row there.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *a  = buffer;
    float *bt = buffer + TS * STRIDE;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TS) {
        a[ty * STRIDE + tx]  = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        bt[tx * STRIDE + ty] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            sum += a[ty * STRIDE + k] * bt[tx * STRIDE + k];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .shared = 2 * TS * STRIDE * sizeof(float));
