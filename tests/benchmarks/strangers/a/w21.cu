#include <lab.h>

// Pipelined version: two tiles ahead, two buffers
constexpr int T = 16;
constexpr int BUFFERS = 2;

__shared__ float As[BUFFERS][T][T];
__shared__ float Bs[BUFFERS][T][T];

__device__ void load(int t, const float *A, const float *B, int row, int col, int N)
{
    const int buf = t % BUFFERS;
    const int ka = t * T + threadIdx.x;
    const int kb = t * T + threadIdx.y;
    As[buf][threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
    Bs[buf][threadIdx.y][threadIdx.x] = col < N && kb < N ? B[kb * N + col] : 0.0f;
}

__device__ float multiply(int t)
{
    const int buf = t % BUFFERS;
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < T; ++k)
        s += As[buf][threadIdx.y][k] * Bs[buf][k][threadIdx.x];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * T + threadIdx.y;
    const int col = blockIdx.x * T + threadIdx.x;
    const int tiles = (N + T - 1) / T;

    // fill the pipeline
    load(0, A, B, row, col, N);
    if (tiles > 1)
        load(1, A, B, row, col, N);
    __syncthreads();

    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        sum += multiply(t);
        if (t + 2 < tiles)
            load(t + 2, A, B, row, col, N);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
