#include <lab.h>

#define TW 16
#define ELEM(M, r, c) ((M)[r * N + (c)])
#define INSIDE(r, c) ((r) < N && (c) < N)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float p[TW][TW], q[TW][TW];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * TW + y;
    const int j = blockIdx.x * TW + x;
    float f = 0.0f;

    for (int t = 0; t < (N + TW - 1) / TW; ++t) {
        p[y][x] = INSIDE(i, t * TW + x) ? ELEM(A, i, t * TW + x) : 0.0f;
        q[y][x] = INSIDE(t * TW + y, j) ? ELEM(B, t * TW + y, j) : 0.0f;
        __syncthreads();
        for (int k = 0; k < TW; ++k)
            f += p[y][k] * q[k][x];
        __syncthreads();
    }

    if (INSIDE(i, j))
        ELEM(C, i, j) = f;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});
