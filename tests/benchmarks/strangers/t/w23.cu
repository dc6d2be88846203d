#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int n = blockDim.x;
    __shared__ float sA[n][n];
    __shared__ float sB[16][16];

    int x = threadIdx.x, y = threadIdx.y;
    int c = blockIdx.x * 16 + x, r = blockIdx.y * 16 + y;

    float w = 0.f;
    for (int t = 0; t < N; t += 16) {
        sA[y][x] = (r < N && t + x < N) ? A[r * N + t + x] : 0.f;
        sB[y][x] = (c < N && t + y < N) ? B[(t + y) * N + c] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) w += sA[y][k] * sB[k][x];
        __syncthreads();
    }
    if (r < N && c < N) C[r * N + c] = w;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
