#include <lab.h>

#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float pa[BS][BS], pb[BS][BS];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BS + ty;
    const int col = blockIdx.x * BS + tx;

    float c = 0.0f;
    int k0 = 0;
    while (k0 < N) {
        pa[ty][tx] = row < N ? A[row * N + k0 + tx] : 0.0f;
        pb[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        #pragma unroll 16
        for (int k = 0; k < BS; k++)
            c += pa[ty][k] * pb[k][tx];
        __syncthreads();
        k0 += BS;
    }
    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
