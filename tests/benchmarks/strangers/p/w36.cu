#include <lab.h>

// Labb 3: matrismultiplikation
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int kolumn = blockIdx.x * blockDim.x + threadIdx.x;
    int rad = blockIdx.y * blockDim.y + threadIdx.y

    if (rad < N && kolumn < N)
    {
        float summa = 0.0f;
        for (int k = 0; k < N; k++)
            summa += A[rad * N + k] * B[k * N + kolumn];
        C[rad * N + kolumn] = summa;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
