#include <lab.h>

const int BS = 16;

__device__ void load_tile(float (*dst)[BS], const float *src, int r0, int c0, int n)
{
    int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    dst[threadIdx.y][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : 0.0f;
}

__device__ void multiply_tile(const float (*a)[BS], const float (*b)[BS], float result)
{
    for (int k = 0; k < BS; k++)
        result += a[threadIdx.y][k] * b[k][threadIdx.x];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[BS][BS];
    __shared__ float b[BS][BS];
    int r0 = blockIdx.y * BS;
    int c0 = blockIdx.x * BS;
    float result = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BS) {
        load_tile(a, A, r0, k0, N);
        load_tile(b, B, k0, c0, N);
        __syncthreads();
        multiply_tile(a, b, result);
        __syncthreads();
    }

    int r = r0 + threadIdx.y, c = c0 + threadIdx.x;
    if (r < N && c < N)
        C[r * N + c] = result;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
