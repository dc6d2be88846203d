#include <lab.h>

#define MT 64
#define KT 512

extern __shared__ float pool[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *a = pool;
    float *b = pool + MT * KT;
    const int tid = threadIdx.x;
    const int r0 = blockIdx.y * MT, c0 = blockIdx.x * MT;
    const int x = tid % 16 * 4, y = tid / 16 * 4;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += KT) {
        for (int i = tid; i < MT * KT; i += 256) {
            const int m = i / KT, ka = i % KT;
            a[i] = r0 + m < N && k0 + ka < N ? A[(r0 + m) * N + k0 + ka] : 0.0f;
            const int kb = i / MT, n = i % MT;
            b[i] = k0 + kb < N && c0 + n < N ? B[(k0 + kb) * N + c0 + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < KT; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += a[(y + i) * KT + k] * b[k * MT + x + j];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (r0 + y + i < N && c0 + x + j < N)
                C[(r0 + y + i) * N + c0 + x + j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {MT, MT}, .shared = 2 * MT * KT * sizeof(float));
