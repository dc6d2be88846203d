#include <lab.h>

constexpr int TM = 2;      // rows per thread
constexpr int TN = 4;      // columns per thread
constexpr int BM = 16 * TM;
constexpr int BN = 16 * TN;
constexpr int BK = 16;

struct Fragment {
    float v[TM * TN];
    __device__ float &at(int i, int j) { return v[i * TM + j]; }
    __device__ void clear()
    {
        for (int i = 0; i < TM * TN; ++i) v[i] = 0.0f;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK + 1];
    __shared__ float Bs[BK][BN];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BM + ty, col = blockIdx.x * BN + tx;

    Fragment acc;
    acc.clear();

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = 0; i < TM; ++i) {
            int r = row + 16 * i;
            As[ty + 16 * i][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.0f;
        }
        for (int j = 0; j < TN; ++j) {
            int c = col + 16 * j;
            Bs[ty][tx + 16 * j] = (k0 + ty < N && c < N) ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc.at(i, j) += As[ty + 16 * i][k] * Bs[k][tx + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (row + 16 * i < N && col + 16 * j < N)
                C[(row + 16 * i) * N + col + 16 * j] = acc.at(i, j);
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
