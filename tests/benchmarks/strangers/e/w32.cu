#include <lab.h>

#define BM 32
#define BN 64
#define BK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float smem[];
    float *As = smem;
    float *Bs = smem + BK * BN;

    int tid = threadIdx.y * blockDim.x + threadIdx.x;
    int tx = threadIdx.x, ty = threadIdx.y;
    int rowBase = blockIdx.y * BM;
    int colBase = blockIdx.x * BN;
    float out[2][4] = {{0}};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            int r = rowBase + i / BK, c = k0 + i % BK;
            As[i] = r < N && c < N ? A[r * N + c] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            int r = k0 + i / BN, c = colBase + i % BN;
            Bs[i] = r < N && c < N ? B[r * N + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            for (int m = 0; m < 2; ++m)
                for (int n = 0; n < 4; ++n)
                    out[m][n] += As[(ty + 16 * m) * BK + k] * Bs[k * BN + tx + 16 * n];
        __syncthreads();
    }

    for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 4; ++n) {
            int r = rowBase + ty + 16 * m, c = colBase + tx + 16 * n;
            if (r < N && c < N)
                C[r * N + c] = out[m][n];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM}, .shared = (BM * BK + BK * BN) * sizeof(float));
