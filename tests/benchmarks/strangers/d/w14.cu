#include <lab.h>

#define M 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float mem[];
    float *as = mem;
    float *bs = mem + M * M;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = M * blockIdx.y + ty;
    int col = M * blockIdx.x + tx;
    float total = 0.0f;

    for (int m = 0; m < N; m += M) {
        as[ty * M + tx] = (row < N && m + tx < N) ? A[row * N + m + tx] : 0.0f;
        bs[ty * M + tx] = (col < N && m + ty < N) ? B[(m + ty) * N + col] : 0.0f;
        __syncthreads();
        float total = 0.0f;
        for (int k = 0; k < M; ++k)
            total += as[ty * M + k] * bs[k * M + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = total;
}

LAUNCH(.block = {M, M}, .tile = {M, M}, .shared = 2 * M * M * sizeof(float));
