// Tiled matmul, assignment 3
#include <lab.h>

constexpr int T = 16;

// how many tiles cover n elements
static __device__ int tile_count(int n)
{
    return n / T + (n % T) ? 1 : 0;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[T][T];
    __shared__ float tileB[T][T];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    float result = 0.f;
    const int count = tile_count(N);
    for (int t = 0; t < count; t++) {
        const int ak = t * T + tx;
        const int bk = t * T + ty;
        tileA[ty][tx] = (row < N && ak < N) ? A[row * N + ak] : 0.f;
        tileB[ty][tx] = (bk < N && col < N) ? B[bk * N + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            result += tileA[ty][k] * tileB[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = result;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
