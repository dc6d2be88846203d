#include <lab.h>

template <int BM, int BN, int BK, int TM>
__device__ void matmul_tile(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tcol = tid % BN;
    const int trow = tid / BN;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;

    const int aRow = tid / BK, aCol = tid % BK;
    const int bRow = tid / BN, bCol = tid % BN;

    float res[TM] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += BK) {
        As[aRow][aCol] = (row0 + aRow < N && k0 + aCol < N) ? A[(row0 + aRow) * N + k0 + aCol] : 0.0f;
        Bs[bRow][bCol] = (k0 + bRow < N && col0 + bCol < N) ? B[(k0 + bRow) * N + col0 + bCol] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float b = Bs[k][tcol];
            for (int i = 0; i < TM; ++i)
                res[i] += As[trow * TM + i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        int r = row0 + trow * TM + i;
        if (r < N && col0 + tcol < N)
            C[r * N + col0 + tcol] = res[i];
    }
}

// 512 threads: 64 x 8 elements of A and 8 x 64 of B, one of each per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    matmul_tile<64, 64, 8, 8>(A, B, C, N);
}

LAUNCH(.block = {512}, .tile = {64, 64});
