#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int w = blockDim.x;
    __shared__ float sA[w * w];
    __shared__ float sB[w * w];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * w + ty;
    int col = blockIdx.x * w + tx;
    float sum = 0.0f;

    for (int t = 0; t < (N + w - 1) / w; t++) {
        int a = t * w + tx;
        int b = t * w + ty;
        sA[ty * w + tx] = (row < N && a < N) ? A[row * N + a] : 0.0f;
        sB[ty * w + tx] = (b < N && col < N) ? B[b * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < w; k++)
            sum += sA[ty * w + k] * sB[k * w + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
