#include <lab.h>

#define T 32
#define IDX(y, x) ((y) * (T + 1) + (x))   // +1: no bank conflicts

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T * (T + 1)];
    __shared__ float Bs[T * T];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    float sum = 0;

    for (int k0 = 0; k0 < N; k0 += T) {
        As[IDX(ty, tx)] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0;
        // B transposed
        Bs[IDX(tx, ty)] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += As[IDX(ty, k)] * Bs[IDX(tx, k)];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
