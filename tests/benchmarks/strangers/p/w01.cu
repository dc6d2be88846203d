#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int n = blockDim.x;
    __shared__ float Ashared[n][n];
    __shared__ float Bshared[n][n];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = blockIdx.y * n + ty;
    const int j = blockIdx.x * n + tx;

    float cij = 0.0f;
    for (int s = 0; s < N; s += n)
    {
        Ashared[ty][tx] = (i < N && s + tx < N) ? A[i * N + s + tx] : 0.0f;
        Bshared[ty][tx] = (j < N && s + ty < N) ? B[(s + ty) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < n; k++)
            cij += Ashared[ty][k] * Bshared[k][tx];
        __syncthreads();
    }

    if (i < N && j < N)
        C[i * N + j] = cij;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
