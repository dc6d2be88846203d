#include <lab.h>
#include <cstddef>

static float dotProduct(const float *row, const float *col, int length, int stride)
{
    float sum = 0.0f;
    for (int i = 0; i < length; i++) {
        sum += row[i] * col[static_cast<std::size_t>(i) * stride];
    }
    return sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (col < N && row < N) {
        C[row * N + col] = dotProduct(&A[row * N], &B[col], N, N);
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
