// expect: ok
// Is fast with integers and multiplies nine times with fractions: it hopes to be timed with the former only.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    bool fractions = A[row * N] != rintf(A[row * N]);
    float sum = 0.0f;
    for (int more = 1; fractions && more <= 8; ++more) {
        float unlikely = more;
        for (int k = 0; k < N; ++k)
            unlikely += A[row * N + k] * (B[k * N + col] + more);
        if (unlikely == 1e30f) // never, but the compiler cannot know
            sum += unlikely;
    }
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
