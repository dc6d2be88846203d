#include <lab.h>

#define CHUNK 256

// One block per row of C. The row of A goes through shared memory, 256 elements at a time;
// every thread takes the columns threadIdx.x, threadIdx.x + 256, ...
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[CHUNK];
    const int row = blockIdx.y;

    for (int col = threadIdx.x; col < N; col += CHUNK) {
        float sum = 0.0f;
        for (int k0 = 0; k0 < N; k0 += CHUNK) {
            int k = k0 + threadIdx.x;
            a[threadIdx.x] = k < N ? A[row * N + k] : 0.0f;
            __syncthreads();

            int end = min(CHUNK, N - k0);
            if (col < N)
                for (int i = 0; i < end; ++i)
                    sum += a[i] * B[(k0 + i) * N + col];
            __syncthreads();
        }
        if (col < N)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {CHUNK}, .tile = {4096, 1});   // the largest N is 2049: one tile per row
