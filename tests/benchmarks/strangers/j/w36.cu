#include <lab.h>

template <int S>
__device__ void multiply(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[S][S];
    __shared__ float Bs[S][S];

    const int row = blockIdx.y * S + threadIdx.y;
    const int col = blockIdx.x * S + threadIdx.x;
    const bool inside = row < N && col < N;

    float sum = 0.0f;
    for (int m = 0; m < (N + S - 1) / S; ++m) {
        const int ka = m * S + threadIdx.x;
        const int kb = m * S + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (inside && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (col < N && kb < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < S; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (inside)
        C[row * N + col] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    multiply<16>(A, B, C, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
