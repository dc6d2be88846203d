// expect: ok
// The include of random numbers and the macro for errors stayed when the trial was removed.
#include <cstdio>
#include <curand_kernel.h>

#define CHECK(call)                                                                \
    do {                                                                           \
        cudaError_t status = call;                                                 \
        if (status != cudaSuccess)                                                 \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
    } while (0)

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row < N && col < N) {
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

int main()
{
    CHECK(cudaDeviceSynchronize());
    return 0;
}
