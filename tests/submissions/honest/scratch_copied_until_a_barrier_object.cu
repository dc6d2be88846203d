// expect: ok
// Transposes tiles of A in global memory, from where each block copies them, and waits for a barrier object.
#include <cuda/barrier>
#include <lab.h>

#define TILE 16
#define MOST_BLOCKS 4096

__device__ float scratch[MOST_BLOCKS][TILE][TILE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float (*turned)[TILE] = scratch[(blockIdx.y * gridDim.x + blockIdx.x) % MOST_BLOCKS];
    __shared__ cuda::barrier<cuda::thread_scope_block> complete;
    if (tx == 0 && ty == 0)
        init(&complete, TILE * TILE);
    float sum = 0.0f;
    turned[tx][ty] = row < N && tx < N ? A[row * N + tx] : 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int next = first + TILE + tx;
        Bs[ty][tx] = col < N && first + ty < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        cuda::memcpy_async(&As[ty][tx], &turned[ty][tx], cuda::aligned_size_t<4>(sizeof(float)), complete);
        complete.arrive_and_wait();
        turned[tx][ty] = row < N && next < N ? A[row * N + next] : 0.0f;
        for (int k = 0; k < TILE; ++k)
            sum += As[k][ty] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
