#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.0f;

    // modern C++ :)
    auto load = [&](int k0) {
        a[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        b[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
    };
    auto multiply = [=]() mutable {
        for (int k = 0; k < T; ++k)
            sum += a[ty][k] * b[k][tx];
    };

    for (int k0 = 0; k0 < N; k0 += T) {
        load(k0);
        __syncthreads();
        multiply();
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
