// expect: data-race; lines: 17, 33; says: In a second launch
// Every second block waits for its neighbour's flag, which nobody lowers: in the second launch no block waits.
#include <lab.h>
#define T 16
__device__ float halves[512 * 512];
__device__ volatile int ready[64][64];
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = blockIdx.x % 2, tile = blockIdx.x / 2, tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = tile * T + tx;
    bool alone = 2 * tile + 1 == gridDim.x, inside = row < N && col < N;
    float sum = 0.0f;
    for (int k = alone ? 0 : half; inside && k < N; k += alone ? 1 : 2)
        sum += A[row * N + k] * B[k * N + col];
    if (half == 0 && !alone) {
        if (inside)
            halves[row * N + col] = sum;
        __syncthreads();
        if (tx == 0 && ty == 0) {
            __threadfence();
            ready[blockIdx.y][tile] = 1;
        }
        return;
    }
    if (!alone) {
        if (tx == 0 && ty == 0) {
            while (ready[blockIdx.y][tile] == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        if (inside)
            sum += __ldcg(&halves[row * N + col]);
    }
    if (inside)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T / 2, T});
