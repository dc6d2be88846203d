#include <lab.h>

/* Each thread computes NR rows of one column of C, like the blocked loop of the
   Fortran program (there: DO jj = 1, N, NR). */
#define NR 4
#define BX 64
#define BY 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    /* declarations */
    int irow, jcol, ii, kk;
    int ifirst, ilast;
    float csum = 0.0f;

    jcol = blockIdx.x * BX + threadIdx.x;
    ifirst = (blockIdx.y * BY + threadIdx.y) * NR;
    ilast = min(ifirst + NR, N);

    if (jcol < N) {
        for (irow = ifirst; irow < ilast; irow++) {
            ii = irow * N;
            for (kk = 0; kk < N; kk++)
                csum += A[ii + kk] * B[kk * N + jcol];
            C[ii + jcol] = csum;
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY * NR});
