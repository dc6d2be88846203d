#include <lab.h>
constexpr unsigned EDGE = 16;

// loads one element of a tile and waits for the others
__device__ __forceinline__ void bring(float *place, const float *M, unsigned r, unsigned c, unsigned N)
{
    if (r >= N || c >= N) { *place = 0.0f; return; }
    *place = M[r * N + c];
    __syncthreads();
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float left[EDGE * EDGE], right[EDGE * EDGE];
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned r = blockIdx.y * EDGE + ty, c = blockIdx.x * EDGE + tx;
    float v = 0.0f;

    for (unsigned k0 = 0; k0 < N; k0 += EDGE) {
        bring(left + ty * EDGE + tx, A, r, k0 + tx, N);
        bring(right + ty * EDGE + tx, B, k0 + ty, c, N);
        for (unsigned k = 0; k < EDGE; ++k)
            v += left[ty * EDGE + k] * right[k * EDGE + tx];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = v;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
