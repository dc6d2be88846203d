#include <lab.h>
#define R 2
#define B16 16

// 2x2 outputs per thread straight from global memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r0 = blockIdx.y * R * B16 + threadIdx.y;
    int c0 = blockIdx.x * R * B16 + threadIdx.x;
    float acc[R][R];
    for (int i = 0; i < R; i++) acc[i][0] = 0.0f;

    for (int k = 0; k < N; k++) {
        float a[R], b[R];
        for (int i = 0; i < R; i++) {
            int r = r0 + i * B16, c = c0 + i * B16;
            a[i] = r < N ? A[r * N + k] : 0.0f;
            b[i] = c < N ? B[k * N + c] : 0.0f;
        }
        for (int i = 0; i < R; i++)
            for (int j = 0; j < R; j++)
                acc[i][j] += a[i] * b[j];
    }

    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++)
            if (r0 + i * B16 < N && c0 + j * B16 < N)
                C[(r0 + i * B16) * N + c0 + j * B16] = acc[i][j];
}

LAUNCH(.block = {B16, B16}, .tile = {R * B16, R * B16});
