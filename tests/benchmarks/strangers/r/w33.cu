#include <lab.h>

#define TM 8          // rows per thread
#define TN 4          // columns per thread
#define DIMX 16
#define DIMY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int r0 = (blockIdx.y * DIMY + threadIdx.y) * TM;
    const int c0 = (blockIdx.x * DIMX + threadIdx.x) * TN;
    float fa[TM];
    float fb[TN];
    float out[TM][TN];

    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            out[i][j] = 0.0f;

    for (int k = 0; k < N; k++)
    {
        for (int i = 0; i < TM; i++)
            fa[i] = (r0 + i < N) ? A[(r0 + i) * N + k] : 0.0f;
        for (int j = 0; j < TM; j++)
            fb[j] = (c0 + j < N) ? B[k * N + c0 + j] : 0.0f;
        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++)
                out[i][j] += fa[i] * fb[j];
    }

    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            if (r0 + i < N && c0 + j < N)
                C[(r0 + i) * N + c0 + j] = out[i][j];
}

LAUNCH(.block = {DIMX, DIMY}, .tile = {DIMX * TN, DIMY * TM});
