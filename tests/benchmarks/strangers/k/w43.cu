#include <lab.h>

#define BT 64
#define KT 16
#define PAD 1

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[KT][BT + PAD];  // transposed
    __shared__ __align__(16) float Bs[KT][BT + PAD];

    int tx = threadIdx.x, ty = threadIdx.y;
    int tid = ty * 16 + tx;
    int rowStart = blockIdx.y * BT;
    int colStart = blockIdx.x * BT;
    float4 acc[4];
    for (int i = 0; i < 4; i++)
        acc[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int k0 = 0; k0 < N; k0 += KT) {
        for (int e = tid; e < BT * KT; e += 256) {
            int m = e / KT, k = e % KT;
            As[k][m] = (rowStart + m < N && k0 + k < N) ? A[(rowStart + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < KT * BT; e += 256) {
            int k = e / BT, n = e % BT;
            Bs[k][n] = (k0 + k < N && colStart + n < N) ? B[(k0 + k) * N + colStart + n] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < KT; k++) {
            float4 b = *(const float4 *)&Bs[k][4 * tx];
            for (int i = 0; i < 4; i++) {
                float a = As[k][ty * 4 + i];
                acc[i].x += a * b.x;
                acc[i].y += a * b.y;
                acc[i].z += a * b.z;
                acc[i].w += a * b.w;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++) {
        int r = rowStart + ty * 4 + i, c = colStart + 4 * tx;
        if (r >= N) break;
        if (c < N) C[r * N + c] = acc[i].x;
        if (c + 1 < N) C[r * N + c + 1] = acc[i].y;
        if (c + 2 < N) C[r * N + c + 2] = acc[i].z;
        if (c + 3 < N) C[r * N + c + 3] = acc[i].w;
    }
}

LAUNCH(.block = {16, 16}, .tile = {BT, BT});
