#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_tile[16][16];
    __shared__ float b_tile[16][16];
    __shared__ float sum;

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = 16 * blockIdx.y + ty;
    int c = 16 * blockIdx.x + tx;

    sum = 0.0f;
    for (int t = 0; t < N; t += 16) {
        a_tile[ty][tx] = (r < N && t + tx < N) ? A[r * N + (t + tx)] : 0.0f;
        b_tile[ty][tx] = (c < N && t + ty < N) ? B[(t + ty) * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += a_tile[ty][k] * b_tile[k][tx];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
