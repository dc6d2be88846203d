#include <lab.h>

#define TS 16

__device__ float product(float (*a)[TS], float (*b)[TS], int ty, int tx)
{
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < TS; ++k)
        s += a[ty][k] * b[k][tx];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][TS][TS];
    __shared__ float b[2][TS][TS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    const int tiles = (N + TS - 1) / TS;

    a[0][ty][tx] = row < N && tx < N ? A[row * N + tx] : 0.0f;
    b[0][ty][tx] = ty < N && col < N ? B[ty * N + col] : 0.0f;
    __syncthreads();

    float result = 0.0f;
    for (int t = 1; t < tiles; ++t) {
        const int next = t & 1;
        const int ka = t * TS + tx, kb = t * TS + ty;
        a[next][ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[next][ty][tx] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        result += product(a[next ^ 1], b[next ^ 1], ty, tx);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = result;
}

LAUNCH(.block = {TS, TS});
