// expect: ok
// Blocks compute their tiles along a Z-shaped curve, whose numbers are taken apart bit by bit.
#include <lab.h>

#define TILE 16

__device__ int every_second_bit(unsigned bits)
{
    int result = 0;
    for (int i = 0; i < 16; ++i)
        result |= (bits >> 2 * i & 1) << i;
    return result;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned side = 1, along = (N + TILE - 1) / TILE;
    while (side < along)
        side *= 2;
    for (unsigned z = blockIdx.y * gridDim.x + blockIdx.x; z < side * side; z += gridDim.x * gridDim.y) {
        int row = every_second_bit(z >> 1) * TILE + threadIdx.y;
        int col = every_second_bit(z) * TILE + threadIdx.x;
        if (row < N && col < N) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
