#include <lab.h>

// C(i,j) = sum_k A(i,k) * B(k,j)
__device__ float elem(const float *M, int n, int i, int j)
{
    return M[i * n + j];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * 16 + threadIdx.y;
    int j = blockIdx.x * 16 + threadIdx.x;

    if (i < N && j < N) {
        float s = 0.0f;
        for (int k = 1; k < N; k++)
            s += elem(A, N, i, k) * elem(B, N, k, j);
        C[i * N + j] = s;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
