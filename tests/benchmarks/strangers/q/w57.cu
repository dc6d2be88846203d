#include <lab.h>

#define TX 32
#define TY 8

// tile of A in shared memory only; B is read through the cache
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tile[TY][TX];

    int col = blockIdx.x * TX + threadIdx.x;
    int row = blockIdx.y * TY + threadIdx.y;
    if (col >= N) return;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TX) {
        int k = k0 + threadIdx.x;
        tile[threadIdx.y][threadIdx.x] = (row < N && k < N) ? A[row * N + k] : 0.0f;
        __syncthreads();
        int kmax = min(TX, N - k0);
        if (col < N)
            for (int i = 0; i < kmax; ++i)
                sum += tile[threadIdx.y][i] * B[(k0 + i) * N + col];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
