#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int bd = blockDim.x;
    __shared__ float As[bd][bd];
    __shared__ float Bs[bd][bd];

    int ty = threadIdx.y, tx = threadIdx.x;
    int i = blockIdx.y * bd + ty;
    int j = blockIdx.x * bd + tx;
    float cij = 0.f;

    for (int t = 0; t < (N + bd - 1) / bd; t++) {
        As[ty][tx] = (i < N && t * bd + tx < N) ? A[i * N + t * bd + tx] : 0.f;
        Bs[ty][tx] = (t * bd + ty < N && j < N) ? B[(t * bd + ty) * N + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < bd; k++) cij += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (i < N && j < N) C[i * N + j] = cij;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
