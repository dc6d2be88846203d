// expect: data-race; lines: 19, 21; says: with no wait for the first copy in between
// Copies a first guess into the tile and then the element, to one cuda::barrier: its arrivals do not order the two copies.
#include <cuda/barrier>
#include <lab.h>
#define TILE 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    if (tx == 0 && ty == 0)
        init(&bar, TILE * TILE);
    __syncthreads();
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int k = first + tx, l = first + ty;
        As[ty][tx] = 0.0f;
        cuda::memcpy_async(&As[ty][tx], &A[0], sizeof(float), bar);
        if (row < N && k < N)
            cuda::memcpy_async(&As[ty][tx], &A[row * N + k], sizeof(float), bar);
        Bs[ty][tx] = l < N && col < N ? B[l * N + col] : 0.0f;
        bar.arrive_and_wait();
        for (int i = 0; i < TILE && first + i < N; ++i)
            sum += As[ty][i] * Bs[i][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
