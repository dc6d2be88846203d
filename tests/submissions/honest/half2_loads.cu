// expect: ok; lab: tensor-cores; sizes: 33, 68
// Loads two neighbours of A at a time if the row of A begins at an even index; computes products in float.
#include <cuda_fp16.h>
#include <lab.h>

extern "C" __global__ void matmul(const __half *A, const __half *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;

    float sum = 0.0f;
    int k = 0;
    if (K % 2 == 0) {
        const __half2 *pairs = reinterpret_cast<const __half2 *>(A + row * K);
        for (; k < K; k += 2) {
            float2 pair = __half22float2(pairs[k / 2]);
            sum += pair.x * __half2float(B[k * N + col]) + pair.y * __half2float(B[(k + 1) * N + col]);
        }
    }
    for (; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
