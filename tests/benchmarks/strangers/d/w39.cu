#include <lab.h>

#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[T][T];
    __shared__ float Bsub[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y;
    const int col = blockIdx.x * T + x;
    float acc = 0.0f;

    for (int t = 0; t * T < N; ++t) {
        Asub[y][x] = (row < N && t * T + x < N) ? A[row * N + t * T + x] : 0.0f;
        Bsub[y][x] = (col < N && t * T + y < N) ? B[(t * T + y) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < T; ++k)
            acc += Asub[y][k] * Bsub[k][x];
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
