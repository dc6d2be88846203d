#include <lab.h>

extern __shared__ float mem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int d = 16;
    float *x = mem;
    float *y = mem + d * d;
    int i = blockIdx.y * d + threadIdx.y;
    int j = blockIdx.x * d + threadIdx.x;
    int me = threadIdx.y * d + threadIdx.x;
    float out = 0.0f;

    for (int s = 0; s < N; s += d)
    {
        x[me] = (i < N && s + threadIdx.x < N) ? A[i * N + s + threadIdx.x] : 0.0f;
        y[me] = (j < N && s + threadIdx.y < N) ? B[(s + threadIdx.y) * N + j] : 0.0f;
        __syncthread();
        for (int k = 0; k < d; ++k)
            out += x[threadIdx.y * d + k] * y[k * d + threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N) C[i * N + j] = out;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16}, .shared = 2 * 16 * 16 * sizeof(float));
