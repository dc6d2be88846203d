#include <lab.h>

#define TW 24
#define TH 8
#define NT 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    for (int e = threadIdx.x; e < TW * TH; e += NT) {
        int row = blockIdx.y * TH + e / TW;
        int col = blockIdx.x * TW + e % TW;
        if (row >= N || col >= N)
            break;
        float dot = 0.0f;
        for (int k = 0; k < N; ++k)
            dot = fmaf(A[row * N + k], B[k * N + col], dot);
        C[row * N + col] = dot;
    }
}

LAUNCH(.block = {NT}, .tile = {TW, TH});
