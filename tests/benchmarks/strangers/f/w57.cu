#include <lab.h>

constexpr int W = 32;   // columns
constexpr int H = 16;   // rows
constexpr int D = 4;    // slices of k

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[D][H][W];
    int col = blockIdx.x * W + threadIdx.x;
    int row = blockIdx.y * H + threadIdx.y;

    float p = 0.0f;
    if (row < N && col < N)
        for (int k = threadIdx.z; k < N; k += D)
            p += A[row * N + k] * B[k * N + col];
    part[threadIdx.z][threadIdx.y][threadIdx.x] = p;
    __syncthreads();

    if (threadIdx.z == 0 && row < N && col < N) {
        for (int d = 1; d < D; ++d)
            p += part[d][threadIdx.y][threadIdx.x];
        C[row * N + col] = p;
    }
}

LAUNCH(.block = {W, H, D}, .tile = {W, H});
