#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i0 = blockIdx.y * 8;
    int j0 = blockIdx.x * 8;
    int i1 = i0 + 8 < N ? i0 + 8 : N;
    int j1 = j0 + 8 < N ? j0 + 8 : N;

    for (int i = i0; i < i1; i++)
        for (int j = j0; j < j1; j++)
            C[i * N + j] = 0;
    // i-k-j order as on the CPU; only this thread touches this part of C
    for (int i = i0; i < i1; i++)
        for (int k = 0; k < N; k++) {
            float a = A[i * N + k];
            for (int j = j0; j < j1; j++)
                C[i * N + j] += a * B[k * N + j];
        }
}

LAUNCH(.block = {1}, .tile = {8, 8});
