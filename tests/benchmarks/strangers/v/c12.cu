#include <lab.h>

// Column-major thinking from Fortran: we compute C' = B' * A', so that the roles of A and B are exchanged.
// blockIdx.x runs along the rows of C here. Compensated sums (Kahan).
#define MB 24
#define NTH 192
#define COLMAJ(M, i, j) M[(size_t)(j) * N + (i)]   // 0-based

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bt[MB][MB + 1], at[MB][MB + 1];
    const int jblock = blockIdx.x * MB;   // column of C' = row of C
    const int iblock = blockIdx.y * MB;
    const int t = threadIdx.x;
    float sum[3] = {0.f, 0.f, 0.f}, err[3] = {0.f, 0.f, 0.f};

    for (int l0 = 0; l0 < N; l0 += MB) {
        for (int e = t; e < MB * MB; e += NTH) {
            const int p = e % MB, q = e / MB;
            bt[q][p] = iblock + p < N && l0 + q < N ? COLMAJ(B, iblock + p, l0 + q) : 0.f;
            at[q][p] = l0 + p < N && jblock + q < N ? COLMAJ(A, l0 + p, jblock + q) : 0.f;
        }
        __syncthreads();
        for (int l = 0; l < MB; ++l)
            for (int u = 0; u < 3; ++u) {
                const int e = t + u * NTH;
                const float y = fmaf(bt[l][e % MB], at[e / MB][l], -err[u]);
                const float s = __fadd_rn(sum[u], y);
                err[u] = __fsub_rn(__fsub_rn(s, sum[u]), y);
                sum[u] = s;
            }
        __syncthreads();
    }

    for (int u = 0; u < 3; ++u) {
        const int e = t + u * NTH;
        const int i = iblock + e % MB, j = jblock + e / MB;
        if (i < N && j < N)
            COLMAJ(C, i, j) = sum[u];
    }
}

LAUNCH(.block = {NTH}, .tile = {MB, MB}, .grid_x = ROWS);
