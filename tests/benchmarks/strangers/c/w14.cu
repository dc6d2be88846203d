#include <lab.h>

#define TX 16
#define TY 16
#define TN 4
#define BK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TY][BK];
    __shared__ float Bs[BK][TX * TN];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int bx = blockIdx.x * TX * TN, by = blockIdx.y * TY;
    float acc[TN] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += BK) {
        As[ty][tx] = (by + ty < N && k0 + tx < N) ? A[(by + ty) * N + k0 + tx] : 0.0f;
        for (int j = 0; j < TN; ++j) {
            int c = bx + tx + j * TX;
            Bs[ty][tx + j * TX] = (k0 + ty < N && c < N) ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a = As[ty][k];
            for (int j = 0; j < TN; ++j)
                acc[j] += a * Bs[k][tx + j * TX];  // stride TX: no bank conflicts
        }
        __syncthreads();
    }

    for (int j = 0; j < TN; ++j) {
        int c = bx + tx * TN + j;
        if (by + ty < N && c < N)
            C[(by + ty) * N + c] = acc[j];
    }
}

LAUNCH(.block = {TX, TY}, .tile = {TX * TN, TY});
