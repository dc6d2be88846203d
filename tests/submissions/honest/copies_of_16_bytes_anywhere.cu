// expect: ok
// Copies of 16 bytes for rows that begin anywhere: they begin at the last multiple of 16 bytes, and the end is copied singly.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16
#define CHUNK 4

__device__ void copy(float *to, const float *matrix, int from, int size, int N)
{
    int left = max(0, min(size, N * N - from));
    __pipeline_memcpy_async(to, left ? matrix + from : matrix, size * sizeof(float), (size - left) * sizeof(float));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[TILE][TILE + CHUNK];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int shift = (row * N + first) % CHUNK, start = row * N + first - shift;
        if (tx < TILE / CHUNK)
            copy(&As[ty][CHUNK * tx], A, start + CHUNK * tx, CHUNK, N);
        else if (tx < TILE / CHUNK + CHUNK)
            copy(&As[ty][TILE + tx % CHUNK], A, start + TILE + tx % CHUNK, 1, N);
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < TILE && first + k < N; ++k)
            sum += As[ty][shift + k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
