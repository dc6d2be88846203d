#include <lab.h>

const int CHUNK = 128;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // one chunk of A's row at a time in shared memory
    __shared__ float rowA[4][CHUNK];
    const int c = blockIdx.x * CHUNK + threadIdx.x;
    const int r = blockIdx.y * 4 + threadIdx.y;

    for (int k0 = 0; k0 < N; k0 += CHUNK) {
        const int k = k0 + threadIdx.x;
        if (r < N && k < N)
            rowA[threadIdx.y][threadIdx.x] = A[r * N + k];
        __syncthreads();
        if (r < N && c < N) {
            float part = 0.0f;
            for (int i = 0; i < CHUNK && k0 + i < N; ++i)
                part += rowA[threadIdx.y][i] * B[(k0 + i) * N + c];
            C[r * N + c] += part;
        }
        __syncthreads();
    }
}

LAUNCH(.block = {CHUNK, 4}, .tile = {CHUNK, 4});
