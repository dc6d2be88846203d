#include <lab.h>

#define TX 16
#define TY 16
#define RPT 4   /* rows per thread */
#define KS  16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[TY * RPT][KS];
    __shared__ float Bsub[KS][TX];
    __shared__ float acc[RPT];

    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TX + x;
    int top = blockIdx.y * TY * RPT;

    for (int i = 0; i < RPT; ++i)
        acc[i] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += KS) {
        for (int i = 0; i < RPT; ++i) {
            int r = y + i * TY;
            Asub[r][x] = (top + r < N && k0 + x < N) ? A[(top + r) * N + k0 + x] : 0.0f;
        }
        Bsub[y][x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < KS; ++k)
            for (int i = 0; i < RPT; ++i)
                acc[i] += Asub[y + i * TY][k] * Bsub[k][x];
        __syncthreads();
    }

    for (int i = 0; i < RPT; ++i) {
        int row = top + y + i * TY;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY * RPT});
