// expect: ok; sizes: 36
// Of two blocks the last one adds both halves; one thread calls the fence for its block.
#include <lab.h>
#define T 16
__device__ float halves[2][512 * 512];
__device__ int finished[64][64];
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ bool last;
    int half = blockIdx.x % 2, tile = blockIdx.x / 2, tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = tile * T + tx;
    bool alone = 2 * tile + 1 == gridDim.x;
    float sum = 0.0f;
    if (row < N && col < N) {
        for (int k = alone ? 0 : half; k < N; k += alone ? 1 : 2)
            sum += A[row * N + k] * B[k * N + col];
        halves[half][row * N + col] = sum;
    }
    if (alone) {
        if (row < N && col < N)
            C[row * N + col] = sum;
        return;
    }
    __syncthreads();
    if (tx == 0 && ty == 0) {
        __threadfence();
        last = atomicAdd(&finished[blockIdx.y][tile], 1) == 1;
        if (last)
            finished[blockIdx.y][tile] = 0;
    }
    __syncthreads();
    if (last && row < N && col < N)
        C[row * N + col] = __ldcg(&halves[0][row * N + col]) + __ldcg(&halves[1][row * N + col]);
}
LAUNCH(.block = {T, T}, .tile = {T / 2, T});
