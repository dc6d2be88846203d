#include <lab.h>

#define TS 32

union Quad {
    float4 v;
    float f[4];
};

template <bool VECTOR>
__device__ Quad load(const float *M, int r, int c, int N)
{
    Quad q;
    q.v = make_float4(0.f, 0.f, 0.f, 0.f);
    if (r >= N)
        return q;
    if (VECTOR) {
        // c and N are multiples of 4
        if (c < N)
            q.v = *reinterpret_cast<const float4 *>(M + r * N + c);
    } else {
        for (int i = 0; i < 4; ++i)
            if (c + i < N)
                q.f[i] = M[r * N + c + i];
    }
    return q;
}

template <bool VECTOR>
__device__ void run(const float *A, const float *B, float *C, int N)
{
    __shared__ float4 sa[TS][TS / 4];
    __shared__ float4 sb[TS][TS / 4];

    const int x = threadIdx.x;   // 0 .. 7
    const int y = threadIdx.y;   // 0 .. 31
    const int row = blockIdx.y * TS + y;
    const int col = blockIdx.x * TS + 4 * x;

    float acc[4] = {};
    for (int k0 = 0; k0 < N; k0 += TS) {
        sa[y][x] = load<VECTOR>(A, row, k0 + 4 * x, N).v;
        sb[y][x] = load<VECTOR>(B, k0 + y, col, N).v;
        __syncthreads();
        for (int k = 0; k < TS; ++k) {
            const float a = reinterpret_cast<const float *>(&sa[y][0])[k];
            Quad b;
            b.v = sb[k][x];
            for (int i = 0; i < 4; ++i)
                acc[i] = fmaf(a, b.f[i], acc[i]);
        }
        __syncthreads();
    }

    if (row >= N)
        return;
    if (VECTOR) {
        if (col < N)
            *reinterpret_cast<float4 *>(C + row * N + col) = make_float4(acc[0], acc[1], acc[2], acc[3]);
    } else {
        for (int i = 0; i < 4; ++i)
            if (col + i < N)
                C[row * N + col + i] = acc[i];
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    if (N % 4 == 0)
        run<true>(A, B, C, N);
    else
        run<false>(A, B, C, N);
}

LAUNCH(.block = {TS / 4, TS}, .tile = {TS, TS});
