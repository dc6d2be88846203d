#include <lab.h>

// Deux colonnes voisines par thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int r = blockIdx.y * blockDim.y + threadIdx.y;

    if (r < N && c < N)
    {
        float acc0 = 0.0f;
        float acc1 = 0.0f;
        for (int k = 0; k < N; k++)
        {
            float a = A[r * N + k];
            acc0 += a * B[k * N + c];
            acc1 += a * B[k * N + min(c + 1, N - 1)];
        }
        C[r * N + c] = acc0;
        C[r * N + c + 1] = acc1;
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
