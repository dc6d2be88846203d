#include <lab.h>

#define T 16

/* Each thread computes C(row, col) and C(row, col + 16). */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float shA[T][T];
    __shared__ float shB[T][T];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = T * blockIdx.y + ty;
    int col = 2 * T * blockIdx.x + tx;
    float c1 = 0.0f, c2 = 0.0f;

    for (int m = 0; m < N; m += T) {
        shA[ty][tx] = 0.0f;
        if (row < N && m + tx < N)
            shA[ty][tx] = A[row * N + m + tx];
        shB[ty][tx] = 0.0f;
        if (m + ty < N && col < N)
            shB[ty][tx] = B[(m + ty) * N + col];
        shB[ty][tx + T] = 0.0f;
        if (m + ty < N && col + T < N)
            shB[ty][tx + T] = B[(m + ty) * N + col + T];
        __syncthreads();

        for (int k = 0; k < T; k++) {
            c1 += shA[ty][k] * shB[k][tx];
            c2 += shA[ty][k] * shB[k][tx + T];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = c1;
    if (row < N && col + T < N)
        C[row * N + col + T] = c2;
}

LAUNCH(.block = {T, T}, .tile = {2 * T, T});
