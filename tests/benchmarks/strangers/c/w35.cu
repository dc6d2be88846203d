#include <lab.h>

#define TX 32
#define TY 8
#define TN 2
#define BK 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TY][BK];
    __shared__ float Bs[BK][TX * TN];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TY + ty;
    int bx = blockIdx.x * TX * TN;
    float acc[TN] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        for (int y = ty; y < BK; y += TY)
            for (int x = tx; x < TX * TN; x += TX)
                Bs[y][x] = k0 + y < N && bx + x < N ? B[(k0 + y) * N + bx + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int j = 0; j < TN; ++j)
                acc[j] += As[ty][k] * Bs[k][tx + j * TX];
        __syncthreads();
    }

    if (row < N) {
        for (int j = 0; j < TN; ++j) {
            int c = bx + tx + j * TX;
            C[row * N + c] = acc[j];
        }
    }
}

LAUNCH(.block = {TX, TY}, .tile = {TX * TN, TY});
