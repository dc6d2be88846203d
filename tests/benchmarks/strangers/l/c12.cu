// float4 for the rows of A: single elements up to the first address that is a multiple of 16, and after the last one.
#include <stdint.h>
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    const float *const a = A + (size_t)row * N;
    float sum = 0.0f;
    int k = 0;

    auto one = [&] {
        sum += a[k] * B[(size_t)k * N + col];
        ++k;
    };

    while (k < N && (uintptr_t)(a + k) % sizeof(float4) != 0)
        one();

    for (; N - k >= 4; k += 4) {
        const float4 v = *(const float4 *)(a + k);
        const float *b = B + (size_t)k * N + col;
        sum += v.x * b[0];
        sum += v.y * b[N];
        sum += v.z * b[2 * N];
        sum += v.w * b[3 * N];
    }

    while (k < N)
        one();

    C[(size_t)row * N + col] = sum;
}

LAUNCH(.block = {64, 8}, .tile = {64, 8});
