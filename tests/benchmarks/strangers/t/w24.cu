#include <lab.h>

// ported from   DO J / DO I / DO K:   C(I,J) = C(I,J) + A(I,K)*B(K,J)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int J = blockIdx.x * blockDim.x + threadIdx.x;
    int I = blockIdx.y * blockDim.y + threadIdx.y;

    if (I < N && J < N)
    {
        for (int K = 0; K < N; ++K)
        {
            C[I * N + J] = C[I * N + J] + A[I * N + K] * B[K * N + J];
        }
    }
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
