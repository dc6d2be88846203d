// Without .tile there are four times as many blocks in x as needed: those beyond the edge leave as a whole.
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][4 * T];
    int c0 = blockIdx.x * 4 * T;
    if (c0 >= N)
        return;  // same decision for all threads of the block

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    float acc[4] = {};
    for (int k0 = 0; k0 < N; k0 += T) {
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        for (int x = tx; x < 4 * T; x += T)
            Bs[ty][x] = k0 + ty < N && c0 + x < N ? B[(k0 + ty) * N + c0 + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            for (int j = 0; j < 4; ++j)
                acc[j] += As[ty][k] * Bs[k][tx + j * T];
        __syncthreads();
    }
    if (row >= N)
        return;
    for (int j = 0; j < 4; ++j)
        if (int c = c0 + tx + j * T; c < N)
            C[row * N + c] = acc[j];
}

LAUNCH(.block = {T, T});
