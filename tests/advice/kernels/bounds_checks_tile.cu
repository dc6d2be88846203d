// Bounds checks in the inner loop: beyond the edges, the tile keeps old elements, which the loop over it leaves out.
#include <lab.h>

template <int TILE>
__device__ void multiply(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
#ifdef FIXED
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
        Bs[ty][tx] = col < N && first + ty < N ? B[(first + ty) * N + col] : 0.0f;
#else
        if (row < N && first + tx < N)
            As[ty][tx] = A[row * N + first + tx];
        if (col < N && first + ty < N)
            Bs[ty][tx] = B[(first + ty) * N + col];
#endif
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
#ifndef FIXED
            if (first + k < N)
#endif
                sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) { multiply<32>(A, B, C, N); }

LAUNCH(.block = {32, 32}, .tile = {32, 32});
