#include <lab.h>

/* tiles of 32 x 32, 32 x 8 threads, 4 rows per thread */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float tA[32][33];
    __shared__ __align__(16) float tB[32][32];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int row0 = blockIdx.y * 32 + ty;
    float sum[4] = {0.f};

    for (int kb = 0; kb < N; kb += 32) {
        for (int i = 0; i < 32; i += 8) {
            tA[ty + i][tx] = (row0 + i < N && kb + tx < N) ? A[(row0 + i) * N + kb + tx] : 0.f;
            tB[ty + i][tx] = (kb + ty + i < N && col < N) ? B[(kb + ty + i) * N + col] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < 32; k += 4) {
            for (int i = 0; i < 4; i++) {
                float4 v = *(const float4 *)&tA[ty + 8 * i][k];
                sum[i] += v.x * tB[k][tx] + v.y * tB[k + 1][tx]
                        + v.z * tB[k + 2][tx] + v.w * tB[k + 3][tx];
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        if (row0 + 8 * i < N && col < N)
            C[(row0 + 8 * i) * N + col] = sum[i];
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
