#include <lab.h>

// flat grid-stride loop over all elements of C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int block = blockIdx.x + gridDim.x * blockIdx.x;
    const int total = gridDim.x * gridDim.y * blockDim.x;

    for (int e = block * blockDim.x + threadIdx.x; e < N * N; e += total) {
        const int r = e / N;
        const int c = e - r * N;
        float v = 0.0f;
        for (int k = 0; k < N; ++k)
            v += A[r * N + k] * B[k * N + c];
        C[e] = v;
    }
}

LAUNCH(.block = {256}, .tile = {32, 32});
