#include <lab.h>

#define TILE 32

// A is stored transposed. To avoid bank conflicts without padding, the columns of
// the transposed tile are permuted with an exclusive or.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;   // 0..31
    const int ty = threadIdx.y;   // 0..7
    const int row0 = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE + tx;
    float acc[4] = {};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int m = ty + 8 * i;
            At[tx][m ^ tx] = (row0 + m < N && k0 + tx < N) ? A[(row0 + m) * N + k0 + tx] : 0.0f;
            Bs[m][tx] = (k0 + m < N && col < N) ? B[(k0 + m) * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            const float b = Bs[k][tx];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                acc[i] += At[k][ty + 8 * i] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        const int row = row0 + ty + 8 * i;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, 8}, .tile = {TILE, TILE});
