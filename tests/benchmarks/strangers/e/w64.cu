#include <lab.h>
#define TILE 16
#define PER 2

// 2 columns per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE * PER];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE * PER + tx;
    float left = 0.0f, right = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        int k = k0 + ty;
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = k < N && col < N ? B[k * N + col] : 0.0f;
        Bs[ty][tx + TILE] = k < N && col + TILE < N ? B[k * N + col + TILE] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            left += As[ty][i] * Bs[i][tx];
            right += As[ty][i] * Bs[i][tx + TILE];
        }
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = left;
    if (row < N && col + TILE < N) C[row * N + col + TILE] = right;
}

LAUNCH(.tile = {TILE * PER, TILE}, .block = {TILE, TILE});
