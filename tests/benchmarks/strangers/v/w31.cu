// Persistent blocks: a block fetches the number of its next tile from a global counter
// until all tiles are done (dynamic load balancing).
#include <lab.h>

#define T 16
#define TILES_PER_BLOCK 16    // on average; 4 x 4

__device__ unsigned int next_tile = 0;
__device__ unsigned int finished = 0;   // blocks that are done

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    __shared__ unsigned int current;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const unsigned int across = (N + T - 1) / T;

    for (;;) {
        if (tx == 0 && ty == 0)
            current = atomicAdd(&next_tile, 1);
        __syncthreads();
        const unsigned int tile = current;
        if (tile >= across * across)
            break;

        const int row = tile / across * T + ty;
        const int col = tile % across * T + tx;
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

    if (tx == 0 && ty == 0) {
        if (atomicAdd(&finished, 1) == gridDim.x * gridDim.y - 1)
            finished = 0;
    }
}

LAUNCH(.block = {T, T}, .tile = {4 * T, 4 * T});
