#include <lab.h>

// pointers are moved to the block's corner first, then along K. 8 rows per thread.
#define BM 64
#define BN 64
#define BK 8
#define TM 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    const int rowsLeft = N - blockIdx.y * BM;    // in this block
    const int colsLeft = N - blockIdx.x * BN;
    A += blockIdx.y * BM * N;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;

    const int threadCol = threadIdx.x % BN, threadRow = threadIdx.x / BN;
    const int aCol = threadIdx.x % BK, aRow = threadIdx.x / BK;
    const int bCol = threadIdx.x % BN, bRow = threadIdx.x / BN;
    float res[TM] = {0.0f};

    for (int left = N; left > 0; left -= BK) {
        As[aRow * BK + aCol] = aRow < rowsLeft && aCol < left ? A[aRow * N + aCol] : 0.0f;
        Bs[bRow * BN + bCol] = bRow < left && bCol < colsLeft ? B[bRow * N + bCol] : 0.0f;
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int k = 0; k < BK; ++k) {
            float b = Bs[k * BN + threadCol];
            for (int i = 0; i < TM; ++i)
                res[i] += As[(threadRow * TM + i) * BK + k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        if (threadRow * TM + i < rowsLeft && threadCol < colsLeft)
            C[(threadRow * TM + i) * N + threadCol] = res[i];
}

LAUNCH(.block = {512}, .tile = {BN, BM});
