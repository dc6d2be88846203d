// Threads of a block in Z-order (Morton): a warp then covers an 8x4 patch of C, which needs
// fewer different rows and columns than a 16x2 patch.
#include <lab.h>

#define T 16

// keep the even bits of v and push them together (8 bits -> 4 bits)
__device__ unsigned int even_bits(unsigned int v)
{
    v &= 0x55;
    v = (v | (v >> 1)) & 0x33;
    v = (v | (v >> 1)) & 0x0F;
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T + 1], Bs[T][T + 1];

    const int x = even_bits(threadIdx.x);
    const int y = even_bits(threadIdx.x >> 1);
    const int lx = threadIdx.x % T;   // plain order for the loads (coalesced)
    const int ly = threadIdx.x / T;
    const int R = blockIdx.y * T, S = blockIdx.x * T;

    float dot = 0.0f;
    for (int k = 0; k < N; k += T) {
        As[ly][lx] = (R + ly < N && k + lx < N) ? A[(R + ly) * N + k + lx] : 0.0f;
        Bs[ly][lx] = (k + ly < N && S + lx < N) ? B[(k + ly) * N + S + lx] : 0.0f;
        __syncthreads();
        for (int i = 0; i < T; ++i)
            dot += As[y][i] * Bs[i][x];
        __syncthreads();
    }
    if (R + y < N && S + x < N)
        C[(R + y) * N + S + x] = dot;
}

LAUNCH(.block = {T * T}, .tile = {T, T});
