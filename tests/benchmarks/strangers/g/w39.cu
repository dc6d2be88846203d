#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = 4 * (blockIdx.x * 16 + threadIdx.x);
    if (row >= N)
        return;

    float4 acc = make_float4(0, 0, 0, 0);
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        if (col + 0 < N) acc.x += a * B[k * N + col + 0];
        if (col + 1 < N) acc.y += a * B[k * N + col + 1];
        if (col + 2 < N) acc.z += a * B[k * N + col + 2];
        if (col + 3 < N) acc.w += a * B[k * N + col + 3];
    }

    for (int i = 0; i < 4; ++i)
        if (col + i < N)
            C[row * N + col + i] = acc[i];
}

LAUNCH(.block = {16, 8}, .tile = {64, 8});
