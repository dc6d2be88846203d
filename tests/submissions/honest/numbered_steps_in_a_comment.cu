// expect: ok
/* The steps of this kernel, as a page in Markdown has them:

# 1. find the element of this thread
# 2. add the products

#line counting is not what they are for. */
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x; // # 1
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < N && row < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k) // # 2
            sum += A[row * N + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
