#include <lab.h>

#define T 16
#define KPARTS 3

// three slices of K, added up with shared atomics
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[T][T];
    __shared__ float as[KPARTS][T][T], bs[KPARTS][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;

    if (z == 0) total[ty][tx] = 0.0f;

    float s = 0.0f;
    const int rounds = (N + T * KPARTS - 1) / (T * KPARTS);
    for (int i = 0; i < rounds; i++) {
        const int k0 = (i * KPARTS + z) * T;
        as[z][ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        bs[z][ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += as[z][ty][k] * bs[z][k][tx];
        __syncthreads();
    }
    atomicAdd(&total[ty][tx], s);
    __syncthreads();

    if (z == 0 && row < N && col < N)
        C[row * N + col] = total[ty][tx];
}

LAUNCH(.block = {T, T, KPARTS}, .tile = {T, T});
