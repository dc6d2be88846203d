#include <lab.h>

#define BLOCK_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int wA)
{
    int wB = wA;
    // Block index
    int bx = blockIdx.x;
    int by = blockIdx.y;
    // Thread index
    int tx = threadIdx.x;
    int ty = threadIdx.y;

    // Index of the first sub-matrix of A processed by the block
    int aBegin = wA * BLOCK_SIZE * by;
    // Step size used to iterate through the sub-matrices of A
    int aStep = BLOCK_SIZE;
    // Index of the first sub-matrix of B processed by the block
    int bBegin = BLOCK_SIZE * bx;
    // Step size used to iterate through the sub-matrices of B
    int bStep = BLOCK_SIZE;

    int row = by * BLOCK_SIZE + ty;
    int col = bx * BLOCK_SIZE + tx;
    float Csub = 0;

    for (int a = aBegin, b = bBegin, k0 = 0; k0 < wA; a += aStep, b += bStep, k0 += BLOCK_SIZE) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

        // Load the matrices from device memory to shared memory
        As[ty][tx] = (row < wA && k0 + tx < wA) ? A[a + wA * ty + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < wA && col < wB) ? B[b + wB * ty + tx] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < wA && col < wB)
        C[row * wB + col] = Csub;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
