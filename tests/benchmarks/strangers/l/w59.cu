#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N && j < N) {
        float sum = 0.0f;

        for (int k = 0; k + 4 <= N; k += 4) {
            sum += A[i * N + k] * B[k * N + j];
            sum += A[i * N + k + 1] * B[(k + 1) * N + j];
            sum += A[i * N + k + 2] * B[(k + 2) * N + j];
            sum += A[i * N + k + 3] * B[(k + 3) * N + j];
        }
        // the rest
        for (; k < N; k++)
            sum += A[i * N + k] * B[k * N + j];

        C[i * N + j] = sum;
    }
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
