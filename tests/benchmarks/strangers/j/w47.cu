#include <lab.h>

#define CHUNK 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[8][CHUNK];
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;

    float sum = 0.0f;
    int done = 0;
    while (done < N) {
        const int chunk = min(CHUNK, N - done) / 4 * 4;
        if (row < N && threadIdx.x < chunk)
            a[threadIdx.y][threadIdx.x] = A[row * N + done + threadIdx.x];
        __syncthreads();
        if (row < N && col < N) {
            #pragma unroll 4
            for (int k = 0; k < chunk; ++k)
                sum += a[threadIdx.y][k] * B[(done + k) * N + col];
        }
        __syncthreads();
        done += chunk;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
