#include <lab.h>

// One block: 256 elements of one row of C. The row of A is copied to shared memory once.
constexpr int MAX_N = 2048;
constexpr int THREADS = 256;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float row[MAX_N];

    const int r = blockIdx.y;
    for (int k = threadIdx.x; k < N; k += THREADS)
        row[k] = A[r * N + k];
    __syncthreads();

    const int c = blockIdx.x * THREADS + threadIdx.x;
    if (c < N) {
        float x = 0.0f, y = 0.0f;
        int k = 0;
        for (; k + 1 < N; k += 2) {
            x += row[k] * B[k * N + c];
            y += row[k + 1] * B[(k + 1) * N + c];
        }
        if (k < N)
            x += row[k] * B[k * N + c];
        C[r * N + c] = x + y;
    }
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, 1});
