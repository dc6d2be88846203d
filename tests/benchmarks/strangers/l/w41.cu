#include <lab.h>

#define EDGE 16

// the position in K is common to the whole block
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int pos;
    __shared__ float a[EDGE * EDGE];
    __shared__ float b[EDGE * EDGE];

    const int me = threadIdx.x;
    const int ly = me / EDGE, lx = me % EDGE;
    const int row = blockIdx.y * EDGE + ly;
    const int col = blockIdx.x * EDGE + lx;

    if (me == 0)
        pos = 0;
    __syncthreads();

    float sum = 0.0f;
    while (pos < N) {
        const int ka = pos + lx;
        const int kb = pos + ly;
        a[me] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[me] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();

        for (int i = 0; i < EDGE; ++i)
            sum += a[ly * EDGE + i] * b[i * EDGE + lx];
        __syncthreads();

        if (me == 0)
            pos += EDGE;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE * EDGE}, .tile = {EDGE, EDGE});
