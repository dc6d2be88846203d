// expect: ok
// Every form of the unroll pragma, on loops that are nested, have bounds known at run time only, or run once.
#include <lab.h>

#define TILE 16

constexpr int FACTOR = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
#pragma unroll
    for (int once = 0; once < 1; ++once)
#pragma unroll 1
        for (int first = 0; first < N; first += TILE) {
            As[ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
            Bs[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
            __syncthreads();
#pragma unroll(FACTOR)
            for (int k = 0; k < TILE; k += 4)
                _Pragma("unroll") for (int i = 0; i < 4; ++i) sum += As[ty][k + i] * Bs[k + i][tx];
            __syncthreads();
        }
#pragma unroll
    for (int r = row; r < min(N, row + 1); ++r)
#pragma nounroll
        for (int c = col; c < min(N, col + 1); ++c)
            C[r * N + c] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
