#include <lab.h>

// small blocks for better occupancy
#define W 16
#define H 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[H][W];
    __shared__ float Bsub[W][W];

    unsigned col = blockIdx.x * W + threadIdx.x;
    unsigned row = blockIdx.y * H + threadIdx.y;

    // nothing to do outside of the matrix
    if (row >= N || col >= N) return;

    float value = 0.0f;
    for (unsigned k0 = 0; k0 < N; k0 += W) {
        // A: one element per thread, B: two
        unsigned ka = k0 + threadIdx.x;
        Asub[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        for (unsigned i = threadIdx.y; i < W; i += H)
            Bsub[i][threadIdx.x] = (k0 + i < N && col < N) ? B[(k0 + i) * N + col] : 0.0f;
        __syncthreads();

        for (unsigned k = 0; k < W; ++k)
            value += Asub[threadIdx.y][k] * Bsub[k][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = value;
}

LAUNCH(.block = {W, H}, .tile = {W, H});
