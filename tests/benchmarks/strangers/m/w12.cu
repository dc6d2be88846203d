#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    // read four elements of A at once
    const float4 *rowA = reinterpret_cast<const float4 *>(A + row * N);
    int quads = N / 4;
    float sum = 0.0f;
    for (int q = 0; q < quads; ++q) {
        float4 v = rowA[q];
        const float *b = B + 4 * q * N + col;
        sum += v.x * b[0];
        sum += v.y * b[N];
        sum += v.z * b[2 * N];
        sum += v.w * b[3 * N];
    }
    // the rest
    for (int k = quads * 4; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
