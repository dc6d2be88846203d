#include <lab.h>

static const int D = 32;

__device__ float readOrZero(const volatile float *p, bool inside)
{
    float value = *p;
    if (!inside)
        value = 0.0f;
    return value;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float MA[D][D + 1], MB[D][D + 1];
    const int i = blockIdx.y * D + threadIdx.y;
    const int j = blockIdx.x * D + threadIdx.x;
    float s = 0.0f;

    for (int p = 0; p < N; p += D) {
        const int pa = p + threadIdx.x, pb = p + threadIdx.y;
        MA[threadIdx.y][threadIdx.x] = readOrZero(A + i * N + pa, i < N && pa < N);
        MB[threadIdx.y][threadIdx.x] = readOrZero(B + pb * N + j, j < N && pb < N);
        __syncthreads();
#pragma unroll
        for (int q = 0; q < D; ++q)
            s += MA[threadIdx.y][q] * MB[q][threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N)
        C[i * N + j] = s;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
