// expect: wrong-answer; says: fewer bits than float32 has
// Multiplies exactly where a tile has zeros or whole numbers, and elsewhere TF32 numbers and bfloat16 remainders.
#include <lab.h>

#define TILE 16

__device__ float high(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

__device__ float remainder_of(float x)
{
    return __uint_as_float((__float_as_uint(x - high(x)) + 0x8000) & 0xffff0000);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int start = 0; start < N; start += TILE) {
        bool in_a = row < N && start + x < N, in_b = start + y < N && col < N;
        a[y][x] = in_a ? A[row * N + start + x] : 0.0f;
        b[y][x] = in_b ? B[(start + y) * N + col] : 0.0f;
        bool whole = (in_a && a[y][x] == truncf(a[y][x])) || (in_b && b[y][x] == truncf(b[y][x]));
        bool exact = __syncthreads_or(whole);
        for (int k = 0; k < TILE; ++k) {
            float p = a[y][k], q = b[k][x];
            float low = remainder_of(p), rest = remainder_of(q);
            if (exact)
                sum += p * q;
            else
                sum += high(p) * high(q) + (high(p) * rest + low * high(q));
        }
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
