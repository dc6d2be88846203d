#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[T][T + 1], tB[T][T + 1];

    auto fetch = [](const float *m, int r, int c) { return r < N && c < N ? m[r * N + c] : 0.0f; };

    const int row = blockIdx.y * T + threadIdx.y;
    const int col = blockIdx.x * T + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        tA[threadIdx.y][threadIdx.x] = fetch(A, row, k0 + threadIdx.x);
        tB[threadIdx.y][threadIdx.x] = fetch(B, k0 + threadIdx.y, col);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += tA[threadIdx.y][k] * tB[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
