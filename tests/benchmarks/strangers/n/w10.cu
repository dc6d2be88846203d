#include <lab.h>

__device__ float dotProduct(const float *a, const float *b, int N)
{
    float sum = 0.0f;
    int k = 0;
    while (k < N) {
        if (N - k >= 8) {
            // eight at once
#pragma unroll
            for (int j = 0; j < 8; ++j)
                sum += a[k + j] * b[(k + j) * N];
            k += 8;
        } else {
            sum += a[k] * b[k * N];
        }
    }
    return sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < N)
        C[y * N + x] = dotProduct(A + y * N, B + x, N);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
