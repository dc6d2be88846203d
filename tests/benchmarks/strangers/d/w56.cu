#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    const float *in = A + row * N;
    float *out = C + row * N * sizeof(float);

    float acc = 0.0f;
    int k = 0;
    while (k < N) {
        acc += in[k] * B[k * N + col];
        ++k;
    }
    out[col] = acc;
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
