#include <lab.h>

constexpr int BN = 64, BM = 4, BK = 16;
constexpr int THREADS = BN * BM;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileB[BK * BN];
    int tid = threadIdx.y * BN + threadIdx.x;
    int row = blockIdx.y * BM + threadIdx.y;
    int col = blockIdx.x * BN + threadIdx.x;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i <= BK * BN; i += THREADS) {
            int k = k0 + i / BN, c = blockIdx.x * BN + i % BN;
            tileB[i] = (k < N && c < N) ? B[k * N + c] : 0.0f;
        }
        __syncthreads();
        if (row < N) {
            int last = min(BK, N - k0);
            for (int k = 0; k < last; ++k)
                acc += A[row * N + k0 + k] * tileB[k * BN + threadIdx.x];  // A is a broadcast within a warp
        }
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {BN, BM}, .tile = {BN, BM});
