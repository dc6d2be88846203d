// expect: ok
// A function that calls itself adds halves of a row; each of its calls has two arrays of its own.
#include "lab.h"

LAUNCH(.block = {16, 16}, .tile = {16, 16});

__device__ __noinline__ float sum_of(const float* a, const float* b, int stride, int first, int count) {
    float parts[2] = {}, products[4] = {};
    if (count <= 4) {
        for (int i = 0; i < count; i++) products[i] = a[first + i] * b[(first + i) * stride];
        return products[0] + products[1] + products[2] + products[3];
    }
    int half = count / 2;
    for (int i = 0; i < 2; i++) parts[i] = sum_of(a, b, stride, first + i * half, i ? count - half : half);
    return parts[count % 2] + parts[1 - count % 2];
}

__global__ void matmul(const float* A, const float* B, float* C, int N) {
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = sum_of(A + row * N, B + col, N, 0, N);
}
