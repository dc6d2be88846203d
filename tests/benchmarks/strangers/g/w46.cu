#include <lab.h>

#define TW 64
#define TH 16

// 256 threads walk over the 64 x 16 elements of the tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float dot = 0.0f;

    for (int e = threadIdx.x; e < TW * TH; e += blockDim.x) {
        int r = blockIdx.y * TH + e / TW;
        int c = blockIdx.x * TW + e % TW;
        if (r < N && c < N) {
            for (int k = 0; k < N; ++k)
                dot = fmaf(A[r * N + k], B[k * N + c], dot);
            C[r * N + c] = dot;
        }
    }
}

LAUNCH(.block = {256}, .tile = {TW, TH});
