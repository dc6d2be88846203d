#include <lab.h>

#define T 16

// Two pairs of tiles, used in turn, need only one barrier per tile: who fills a pair again has passed the
// barrier of the tile in between, and so has everybody who read it.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tiles[2][2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;

    for (int t = 0; t * T < N; ++t) {
        float (*a)[T] = tiles[t & 1][0];
        float (*b)[T] = tiles[t & 1][1];
        int ka = t * T + tx, kb = t * T + ty;
        a[ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        b[ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[ty][k] * b[k][tx];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
