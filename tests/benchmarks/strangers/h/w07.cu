#include <lab.h>

constexpr int BM = 32;  // rows of C per block
constexpr int BN = 32;  // columns of C per block
constexpr int BK = 8;
constexpr int TM = 8;   // rows of C per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BM][BK];
    __shared__ float sB[BK][BN];

    const int tid = threadIdx.y * 32 + threadIdx.x;
    const int row0 = blockIdx.y * BM;
    const int col = blockIdx.x * BN + threadIdx.x;
    float c[TM] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        const int ar = tid / BK;
        const int ac = tid % BK;
        sA[ar][ac] = (row0 + ar < N && k0 + ac < N) ? A[(row0 + ar) * N + k0 + ac] : 0.0f;
        for (int i = threadIdx.y; i < BK; i += 4)
            sB[i][threadIdx.x] = (k0 + i < N && col < N) ? B[(k0 + i) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                c[i] += sA[threadIdx.y * TM + i][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        const int row = row0 + threadIdx.y * TM + i;
        if (row < N && col < N)
            C[row * N + col] = c[i];
    }
}

LAUNCH(.block = {32, 4}, .tile = {BN, BM});
