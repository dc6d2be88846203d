#include <lab.h>

#define TX 16
#define TY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x * 2 * TX + threadIdx.x;
    int r = blockIdx.y * 2 * TY + threadIdx.y;
    int c2 = c + TX, r2 = r + TY;
    float c00 = 0.0f, c01 = 0.0f, c10 = 0.0f, c11;

    for (int k = 0; k < N; ++k) {
        float a0 = r < N ? A[r * N + k] : 0.0f;
        float a1 = r2 < N ? A[r2 * N + k] : 0.0f;
        float b0 = c < N ? B[k * N + c] : 0.0f;
        float b1 = c2 < N ? B[k * N + c2] : 0.0f;
        c00 += a0 * b0;
        c01 += a0 * b1;
        c10 += a1 * b0;
        c11 += a1 * b1;
    }
    if (r < N && c < N) C[r * N + c] = c00;
    if (r < N && c2 < N) C[r * N + c2] = c01;
    if (r2 < N && c < N) C[r2 * N + c] = c10;
    if (r2 < N && c2 < N) C[r2 * N + c2] = c11;
}

LAUNCH(.block = {TX, TY}, .tile = {2 * TX, 2 * TY});
