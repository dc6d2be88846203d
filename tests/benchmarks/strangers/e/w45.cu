#include <lab.h>

constexpr int W = 32, H = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[H][W];
    __shared__ float Bs[W][W];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * H + ty, col = blockIdx.x * W + tx;

    auto inside = [](int r, int c) { return r < N && c < N; };

    float v = 0.0f;
    for (int k0 = 0; k0 < N; k0 += W) {
        As[ty][tx] = inside(row, k0 + tx) ? A[row * N + k0 + tx] : 0.0f;
        for (int i = ty; i < W; i += H)
            Bs[i][tx] = inside(k0 + i, col) ? B[(k0 + i) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < W; k++) v += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (inside(row, col)) C[row * N + col] = v;
}

LAUNCH(.block = {W, H}, .tile = {W, H});
