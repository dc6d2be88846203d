// Integer division in the inner loop: a tile whose width is a parameter of the loop, not a constant.
#include <lab.h>

constexpr int TILE = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * TILE], Bs[TILE * TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
#ifdef FIXED
    constexpr int width = TILE;
#else
    const int width = blockDim.x;
#endif
    float sum = 0;
    for (int k = 0; k < N; ++k) {
        if (k % width == 0) {
            __syncthreads();
            As[ty * TILE + tx] = row < N && k + tx < N ? A[row * N + k + tx] : 0;
            Bs[ty * TILE + tx] = k + ty < N && col < N ? B[(k + ty) * N + col] : 0;
            __syncthreads();
        }
        sum += As[ty * TILE + k % width] * Bs[k % width * TILE + tx];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
