#include <lab.h>

constexpr int TILE = 16;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *C, int N) {
    extern __shared__ __align__(16) float tiles[];
    float *As = tiles, *Bs = tiles + TILE * TILE;
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    int own = threadIdx.y * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < N; t += TILE) {
        As[own] = row < N && t + threadIdx.x < N ? __ldg(&A[row * N + t + threadIdx.x]) : 0.0f;
        Bs[own] = col < N && t + threadIdx.y < N ? __ldg(&B[(t + threadIdx.y) * N + col]) : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum = fmaf(As[threadIdx.y * TILE + k], Bs[k * TILE + threadIdx.x], sum);
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = TILE * TILE * sizeof(float));
