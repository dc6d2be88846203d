#include <lab.h>

#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * BS + ty;
    int c = blockIdx.x * BS + tx;
    float v = 0.0f;

    // zero padding for the edges
    As[ty][tx] = 0.0f;
    Bs[ty][tx] = 0.0f;

    for (int m = 0; m * BS < N; m++) {
        int ka = m * BS + tx;
        int kb = m * BS + ty;
        if (r < N && ka < N)
            As[ty][tx] = A[r * N + ka];
        if (kb < N && c < N)
            Bs[ty][tx] = B[kb * N + c];
        __syncthreads();

        for (int k = 0; k < BS; k++)
            v += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = v;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
