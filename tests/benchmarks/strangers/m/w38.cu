#include <lab.h>

// grid-stride loop over all elements of C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int block_id = blockIdx.y * gridDim.x + blockIdx.x;
    const int stride = gridDim.x * gridDim.y * blockDim.x;
    const int total = N;

    for (int i = block_id * blockDim.x + threadIdx.x; i < total; i += stride) {
        const int row = i / N;
        const int col = i - row * N;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[i] = sum;
    }
}

LAUNCH(.block = {128}, .tile = {64, 64});
