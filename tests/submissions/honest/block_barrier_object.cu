// expect: ok
// cuda::barrier instead of __syncthreads().
#include <cuda/barrier>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    if (tx == 0 && ty == 0)
        init(&barrier, TILE * TILE);
    __syncthreads();

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        Bs[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        barrier.arrive_and_wait();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        barrier.arrive_and_wait();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
