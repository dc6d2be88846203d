// expect: crashed
// Reads pairs of a row with float2, and rows of odd length start at odd addresses.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k + 1 < N; k += 2) {
        float2 pair = *reinterpret_cast<const float2 *>(A + row * N + k);
        sum += pair.x * B[k * N + col] + pair.y * B[(k + 1) * N + col];
    }
    if (N % 2)
        sum += A[row * N + N - 1] * B[(N - 1) * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
