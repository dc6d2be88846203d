#include <lab.h>

template <int M, int N_>
struct Acc {
    float v[M][N_];

    __device__ void clear()
    {
        for (int i = 0; i < M; ++i)
            for (int j = 0; j < N_; ++j)
                v[i][j] = 0.0f;
    }

    __device__ void outer(const float *a, const float *b)
    {
        for (int i = 0; i < M; ++i)
            for (int j = 0; j < N_; ++j)
                v[i][j] += a[i] * b[j];
    }
};

constexpr int BS = 32, BK = 8, R = 4;   // 8 x 8 threads, 4 x 4 results each

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BS];
    __shared__ float Bs[BK][BS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 8 + tx;
    const int r0 = blockIdx.y * BS, c0 = blockIdx.x * BS;
    Acc<R, R> acc;

    for (int k0 = 0; k0 < N; k0 += BK) {
        acc.clear();

        for (int e = tid; e < BS * BK; e += 64) {
            int m = e / BK, k = e % BK;
            As[k][m] = (r0 + m < N && k0 + k < N) ? A[(r0 + m) * N + k0 + k] : 0.0f;
            int kk = e / BS, n = e % BS;
            Bs[kk][n] = (k0 + kk < N && c0 + n < N) ? B[(k0 + kk) * N + c0 + n] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            acc.outer(&As[k][ty * R], &Bs[k][tx * R]);
        __syncthreads();
    }

    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) {
            int r = r0 + ty * R + i, c = c0 + tx * R + j;
            if (r < N && c < N)
                C[r * N + c] = acc.v[i][j];
        }
}

LAUNCH(.block = {8, 8}, .tile = {BS, BS});
