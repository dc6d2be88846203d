#include <lab.h>

#define CHUNK 128

// A block computes CHUNK columns of one row. The row of A goes through shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float arow[CHUNK];

    const int t   = threadIdx.x;
    const int row = blockIdx.y;
    const int col = blockIdx.x * CHUNK + t;
    float v = 0.0f;

    for (int k0 = 0; k0 < N; k0 += CHUNK) {
        if (k0 + t < N)
            arow[t] = A[row * N + k0 + t];
        __threadfence_block();

        if (col < N) {
            const int len = min(CHUNK, N - k0);
            for (int k = 0; k < len; ++k)
                v += arow[k] * B[(k0 + k) * N + col];
        }
        __syncthreads();
    }

    if (col < N)
        C[row * N + col] = v;
}

LAUNCH(.block = {CHUNK}, .tile = {CHUNK, 1});
