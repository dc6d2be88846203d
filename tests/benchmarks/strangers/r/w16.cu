#include <lab.h>

// Rows of threads start at different k so that they do not all hit the same
// line of B at the same time, then wrap around.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int start = threadIdx.y * 4;

    if (x >= N || y >= N) return;

    float dot = 0.0f;
    for (int i = 0; i < N; ++i) {
        int k = (i + start) & (N - 1);
        dot += A[y * N + k] * B[k * N + x];
    }
    C[y * N + x] = dot;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
