// Tiled kernel, the tiles are XOR-swizzled in shared memory instead of padded
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        // element (r, c) of a tile lives in column c ^ r
        As[ty][tx ^ ty] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx ^ ty] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < T; ++k)
            sum += As[ty][k ^ ty] * Bs[k][tx ^ ty];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
