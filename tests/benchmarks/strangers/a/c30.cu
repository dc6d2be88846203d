#include <lab.h>

#define TX 16
#define TY 16

extern "C" __global__ void __launch_bounds__(TX *TY, 2) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float2 pair[TY][TX];   // .x belongs to A, .y to B

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TY + y, col = blockIdx.x * TX + x;
    int ka = x, kb = y;
    float sum = 0.0f;

    while (__syncthreads_or(ka < N || kb < N)) {
        float2 v = make_float2(0.0f, 0.0f);
        if (row < N && ka < N)
            v.x = __ldg(A + row * N + ka);
        if (col < N && kb < N)
            v.y = __ldcs(B + kb * N + col);
        pair[y][x] = v;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < TX; ++k)
            sum += pair[y][k].x * pair[k][x].y;
        ka += TX;
        kb += TY;
    }

    if (row < N && col < N)
        __stcg(C + row * N + col, sum);
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
