#include <lab.h>
#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // A is stored transposed, +1 against bank conflicts
    __shared__ float As[BS][BS + 1];
    __shared__ float Bs[BS][BS];

    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned n = N;
    unsigned row = blockIdx.y * BS + ty;
    unsigned col = blockIdx.x * BS + tx;
    float v = 0.0f;

    for (unsigned kk = 0; kk < n; kk += BS) {
        As[tx][ty] = (row < n && kk + tx < n) ? A[row * n + kk + tx] : 0.0f;
        Bs[ty][tx] = (kk + ty < n && col < n) ? B[(kk + ty) * n + col] : 0.0f;
        __syncthreads();
        #pragma unroll 4
        for (unsigned k = 0; k < BS; ++k)
            v += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < n && col < n) C[row * n + col] = v;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
