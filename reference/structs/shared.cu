// Tiled: a block copies square parts of A and B into shared memory; a part is a matrix of its own, with the stride of the
// whole. All sizes are multiples of 16.
//
// Each element that is loaded is used 16 times: 4 FLOP per byte requested.
#include <cuda_runtime.h>

constexpr int SIDE = 16;

typedef struct {
    int width, height, stride;
    float *elements;
} Matrix;

__device__ Matrix part(Matrix whole, int row, int col)
{
    return {SIDE, SIDE, whole.stride, whole.elements + (row * whole.stride + col) * SIDE};
}

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C)
{
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    const int row = threadIdx.y, col = threadIdx.x;

    float sum = 0.0f;
    for (int step = 0; step < A.width / SIDE; ++step) {
        const Matrix a = part(A, blockIdx.y, step), b = part(B, step, blockIdx.x);
        left[row][col] = a.elements[row * a.stride + col];
        right[row][col] = b.elements[row * b.stride + col];
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += left[row][k] * right[k][col];
        __syncthreads();
    }
    const Matrix c = part(C, blockIdx.y, blockIdx.x);
    c.elements[row * c.stride + col] = sum;
}
