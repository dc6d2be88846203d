#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // each thread: four neighbouring columns
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (row >= N)
        return;

    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        for (int j = 0; j < 4; ++j)
            if (col + j < N)
                acc[j] += a * B[k * N + col + j];
    }
    for (int j = 0; j < 4; ++j)
        if (col + j < N)
            C[row * N + col + j] = acc[j];
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
