#include <lab.h>
#define T 16

// Persistent blocks: there are far fewer blocks than tiles, each block takes one tile after the other.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    const int perRow = (N + T - 1) / T;
    const int blocks = gridDim.x * gridDim.y;
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (int tile = blockIdx.x + gridDim.x * blockIdx.y; tile < perRow * perRow; tile += blocks) {
        const int row = tile / perRow * T + ty;
        const int col = tile % perRow * T + tx;
        float sum = 0.0f;
        for (int k0 = 0; k0 < N; k0 += T) {
            As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
            Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < T; ++k)
                sum += As[ty][k] * Bs[k][tx];
            __syncthreads();
        }
        if (row < N && col < N)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {T, T}, .tile = {100, 50});
