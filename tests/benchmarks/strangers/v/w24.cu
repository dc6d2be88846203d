// Padded tiles in one-dimensional shared arrays (no bank conflicts)
#include <lab.h>

static const int TILE = 16;
static const int PITCH = TILE + 1;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE * PITCH];
    __shared__ float sB[TILE * PITCH];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;

    const float *pA = A + (blockIdx.y * TILE + ty) * N + tx;
    const float *pB = B + ty * N + blockIdx.x * TILE + tx;
    const bool rowOk = blockIdx.y * TILE + ty < N;
    const bool colOk = blockIdx.x * TILE + tx < N;

    float value = 0;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        sA[ty * PITCH + tx] = rowOk && k0 + tx < N ? *pA : 0;
        sB[ty * PITCH + tx] = colOk && k0 + ty < N ? *pB : 0;
        pA += TILE;
        pB += TILE * N;
        __syncthreads();

        const float *a = sA + ty * PITCH;
        const float *b = sB + tx;
        #pragma unroll
        for (int k = 0; k < TILE; ++k) {
            value += *a * *b;
            a += 1;
            b += TILE;
        }
        __syncthreads();
    }

    if (rowOk && colOk)
        C[(blockIdx.y * TILE + ty) * N + blockIdx.x * TILE + tx] = value;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
