// expect: ok
// Two terms at a time with float2 where the row of A is aligned, and one by one before and after.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    const float *a = A + row * N;
    float sum = 0.0f;
    int k = 0;
    if (row * N % 2)
        sum += a[k++] * B[col];
    for (; k + 1 < N; k += 2) {
        float2 pair = *reinterpret_cast<const float2 *>(a + k);
        sum += pair.x * B[k * N + col] + pair.y * B[(k + 1) * N + col];
    }
    if (k < N)
        sum += a[k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
