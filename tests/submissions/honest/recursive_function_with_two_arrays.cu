// expect: ok
// Adds the products of a row in halves, each of which is halved again. Every call has two arrays of its own, and writes
// to one of its caller through a pointer.
#include <lab.h>

#define LEAST 8

__device__ __noinline__ void products(
    const float *A, const float *B, int row, int col, int N, int first, int count, float *result, int place
)
{
    float sums[2], starts[3];
    result[place] = 0.0f;
    if (count <= LEAST) {
        for (int k = first; k < first + count && k < N; ++k)
            result[place] += A[row * N + k] * B[k * N + col];
        return;
    }
    for (int part = 0; part < 3; ++part)
        starts[part] = first + part * (count / 2);
    starts[N > 0 ? 2 : 1] = first + count;
    for (int half = 0; half < 2; ++half) {
        int start = (int)starts[half], end = (int)starts[(half + 1) % 3];
        products(A, B, row, col, N, start, end - start, sums, half);
    }
    result[place] = sums[count % 2] + sums[1 - count % 2];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[1];
    if (row < N && col < N) {
        products(A, B, row, col, N, 0, N, sum, 0);
        C[row * N + col] = sum[0];
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
