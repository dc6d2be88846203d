// expect: ok; lab: tensor-cores
// Half inputs on the CUDA cores: products and sum are computed in float.
#include <cuda_fp16.h>
#include <lab.h>

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
