#include <lab.h>

#define BM 32
#define BN 64
#define BK 16

// 16 x 16 threads; 2 rows and 4 columns each, the columns as float4 from shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BM][BK + 1];
    __shared__ __align__(16) float sB[BK][BN + 1];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;

    float4 acc0 = {0, 0, 0, 0};
    float4 acc1 = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            int r = i / BK, k = i % BK;
            sA[r][k] = (r0 + r < N && k0 + k < N) ? A[(r0 + r) * N + k0 + k] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            int k = i / BN, c = i % BN;
            sB[k][c] = (k0 + k < N && c0 + c < N) ? B[(k0 + k) * N + c0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float4 b = *(const float4 *)&sB[k][tx * 4];
            float a0 = sA[ty * 2][k], a1 = sA[ty * 2 + 1][k];
            acc0.x += a0 * b.x;  acc1.x += a1 * b.x;
            acc0.y += a0 * b.y;  acc1.y += a1 * b.y;
            acc0.z += a0 * b.z;  acc1.z += a1 * b.z;
            acc0.w += a0 * b.w;  acc1.w += a1 * b.w;
        }
        __syncthreads();
    }

    const float out[2][4] = {{acc0.x, acc0.y, acc0.z, acc0.w}, {acc1.x, acc1.y, acc1.z, acc1.w}};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = r0 + ty * 2 + i, c = c0 + tx * 4 + j;
            if (r < N && c < N) C[r * N + c] = out[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
