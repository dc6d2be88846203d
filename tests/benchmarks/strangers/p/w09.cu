#include <lab.h>

#define L 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // 8 rows of A per block, 32 columns of C
    __shared__ float strip[8][L];

    const int col = blockIdx.x * L + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0.0f;

    for (int k = threadIdx.x; k < N; k += L) {
        strip[threadIdx.y][threadIdx.x] = row < N ? A[row * N + k] : 0.0f;
        __syncthreads();

        const int base = k - threadIdx.x;
        if (col < N)
            for (int i = 0; i < L && base + i < N; ++i)
                sum += strip[threadIdx.y][i] * B[(base + i) * N + col];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {L, 8}, .tile = {L, 8});
