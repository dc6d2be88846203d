#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int idx = row * N + col;

    if (idx < N * N) {
        float tmp = 0.0f;
        for (int e = 0; e < N; ++e) {
            tmp += A[row * N + e] * B[e * N + col];
        }
        C[idx] = tmp;
    }
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
