// 64 x 64 tile of C per block, 16 x 16 threads, every thread a 4 x 4 patch
#include <lab.h>

const int BLK = 64;
const int BK = 16;
const int R = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BLK];
    __shared__ float Bs[BK][BLK];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int rowBase = blockIdx.y * BLK;
    const int colBase = blockIdx.x * BLK;

    float acc[R][R] = {{0.0f}};
    float ra[R], rb[R];

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BLK * BK; e += 256) {
            int m = e / BK, k = e % BK;
            As[k][m] = (rowBase + m < N && k0 + k < N) ? A[(rowBase + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BLK * BK; e += 256) {
            int k = e / BLK, n = e % BLK;
            Bs[k][n] = (k0 + k < N && colBase + n < N) ? B[(k0 + k) * N + colBase + n] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < R; ++i) {
                ra[i] = As[k][threadIdx.y * R + i];
                rb[i] = Bs[k][threadIdx.x * R + i];
            }
            for (int i = 0; i < R; ++i)
                for (int j = 0; j < R; ++j)
                    acc[i][j] += ra[j] * rb[i];
        }
        __syncthreads();
    }

    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) {
            int row = rowBase + threadIdx.y * R + i;
            int col = colBase + threadIdx.x * R + j;
            if (row < N && col < N)
                C[row * N + col] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BLK, BLK});
