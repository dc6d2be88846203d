#include <lab.h>

#define TX 16
#define TY 8

__device__ float4 axpy(float a, const float *b, int left, float4 acc)
{
    if (left > 0) acc.x += a * b[0];
    if (left > 1) acc.y += a * b[1];
    if (left > 2) acc.z += a * b[2];
    if (left > 3) acc.w += a * b[3];
    return acc;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float strip[TY][TX];

    const int row = blockIdx.y * TY + threadIdx.y;
    const int col = (blockIdx.x * TX + threadIdx.x) * 4;
    float4 acc = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += TX) {
        const int k = k0 + threadIdx.x;
        strip[threadIdx.y][threadIdx.x] = (row < N && k < N) ? A[row * N + k] : 0.f;
        __syncthreads();
        for (int j = 0; j < TX && k0 + j < N; ++j)
            acc = axpy(strip[threadIdx.y][j], B + (k0 + j) * N + col, N - col, acc);
        __syncthreads();
    }

    if (row >= N) return;
    float *out = C + row * N + col;
    if (col + 3 < N) {
        *reinterpret_cast<float4 *>(out) = acc;
    } else {
        if (col < N) out[0] = acc.x;
        if (col + 1 < N) out[1] = acc.y;
        if (col + 2 < N) out[2] = acc.z;
        if (col + 3 < N) out[3] = acc.w;
    }
}

LAUNCH(.block = {TX, TY}, .tile = {4 * TX, TY});
