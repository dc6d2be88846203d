#include <lab.h>

#define BT 64     // block tile
#define BK 8
#define RT 4      // register tile

__device__ __forceinline__ float get(const float *M, int r, int c, int n)
{
    return (r < n && c < n) ? M[r * n + c] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BT], Bs[BK][BT];

    const int t = threadIdx.x;
    const int tr = t / 16 * RT, tc = t % 16 * RT;
    const int R = blockIdx.y * BT, Cc = blockIdx.x * BT;

    float acc[RT][RT] = {{0}};
    float ra[RT], rb[RT];

    for (int k0 = 0; k0 < N; k0 += BK) {
        #pragma unroll
        for (int u = t; u < BT * BK; u += 256) {
            As[u % BK][u / BK] = get(A, R + u / BK, k0 + u % BK, N);
            Bs[u / BT][u % BT] = get(B, k0 + u / BT, Cc + u % BT, N);
        }

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            #pragma unroll
            for (int i = 0; i < RT; ++i) { ra[i] = As[k][tr + i]; rb[i] = Bs[k][tc + i]; }
            #pragma unroll
            for (int i = 0; i < RT; ++i)
                #pragma unroll
                for (int j = 0; j < RT; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < RT; ++i)
        for (int j = 0; j < RT; ++j)
            if (R + tr + i < N && Cc + tc + j < N)
                C[(R + tr + i) * N + Cc + tc + j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {BT, BT});
