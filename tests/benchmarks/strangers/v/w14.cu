// Blocks visit the tiles of C along diagonals, so that blocks that run together
// don't all hammer the same columns of B (partition camping).
#include <lab.h>

#define TW 32
#define TH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TH][TW];
    __shared__ float Bs[TW][TW];

    int by = blockIdx.y;
    int bx = (blockIdx.x + blockIdx.y) % gridDim.y;

    int row = by * TH + threadIdx.y;
    int col = bx * TW + threadIdx.x;

    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TW) {
        As[threadIdx.y][threadIdx.x] = (row < N && k0 + threadIdx.x < N) ? A[row * N + k0 + threadIdx.x] : 0.0f;
        for (int h = 0; h < TW; h += TH) {
            int k = k0 + h + threadIdx.y;
            Bs[h + threadIdx.y][threadIdx.x] = (k < N && col < N) ? B[k * N + col] : 0.0f;
        }
        __syncthreads();
        #pragma unroll 8
        for (int k = 0; k < TW; ++k)
            s += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = s;
}

LAUNCH(.block = {TW, TH}, .tile = {TW, TH});
