#include <lab.h>

// Elements of C numbered through, independent of the shape of the grid.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned block_id = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned total    = (unsigned)N * N;

    unsigned e = block_id * blockDim.x + threadIdx.x;
    if (e < total) {
        const unsigned r = e / N;
        const unsigned c = e % N;
        float dot = 0.0f;
        for (unsigned k = 0; k < N; ++k)
            dot += A[r * N + k] * B[k * N + c];
        C[e] = dot;
    }
}

LAUNCH(.block = {256}, .tile = {32, 32});
