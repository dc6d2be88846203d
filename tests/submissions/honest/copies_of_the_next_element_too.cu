// expect: ok; sizes: 36
// Each thread copies its element and the next one with cuda::memcpy_async: one value from two threads, or behind the row.
#include <cuda/barrier>
#include <lab.h>

#define TILE 16
#define STRIDE (TILE + 1)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * STRIDE + 1], Bs[TILE][TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    if (tx == 0 && ty == 0)
        init(&bar, TILE * TILE);
    __syncthreads();
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int k = first + tx, l = first + ty, here = ty * STRIDE + tx;
        if (row < N && k < N)
            cuda::memcpy_async(&As[here], &A[row * N + k], k + 1 < N ? 2 * sizeof(float) : sizeof(float), bar);
        else
            As[here] = 0.0f;
        Bs[ty][tx] = l < N && col < N ? B[l * N + col] : 0.0f;
        bar.arrive_and_wait();
        for (int i = 0; i < TILE; ++i)
            sum += As[ty * STRIDE + i] * Bs[i][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
