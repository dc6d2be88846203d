#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float strip[16][16];
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;

    // kk is the row of B that this thread fetches
    for (int kk = threadIdx.y; kk < N; kk += 16) {
        int k0 = kk - threadIdx.y;
        strip[threadIdx.y][threadIdx.x] = (col < N && kk < N) ? B[kk * N + col] : 0.0f;
        __syncthreads();
        int count = min(16, N - k0);
        if (row < N)
            for (int k = 0; k < count; k++)
                sum += A[row * N + k0 + k] * strip[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
