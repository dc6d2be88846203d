#include <lab.h>

#define T 16

// Fewer blocks than tiles: every block takes tile after tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T * T], b[T * T];
    const int x = threadIdx.x, y = threadIdx.y, me = y * T + x;
    const int side = (N + T - 1) / T;
    const int blocks = gridDim.x * gridDim.y;

    for (int tile = blockIdx.x + gridDim.x * blockIdx.y; tile < side * side; tile += blocks) {
        const int row = tile / side * T + y;
        const int col = tile % side * T + x;
        float s = 0.0f;
        for (int k0 = 0; k0 < N; k0 += T) {
            __syncthreads();
            a[me] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
            b[me] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < T; ++k)
                s += a[y * T + k] * b[k * T + x];
        }
        if (row < N && col < N)
            C[row * N + col] = s;
    }
}

LAUNCH(.block = {T, T}, .tile = {40, 56});
