#include <lab.h>

const int TS = 32;   // tile size
const int W = 2;     // W*W results per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TS][TS + 1];
    __shared__ float Bs[TS][TS + 1];
    int acc[W][W] = {};

    int x0 = blockIdx.x * TS, y0 = blockIdx.y * TS;

    for (int k0 = 0; k0 < N; k0 += TS) {
        for (int i = threadIdx.y; i < TS; i += 16)
            for (int j = threadIdx.x; j < TS; j += 16) {
                As[i][j] = y0 + i < N && k0 + j < N ? A[(y0 + i) * N + k0 + j] : 0;
                Bs[i][j] = k0 + i < N && x0 + j < N ? B[(k0 + i) * N + x0 + j] : 0;
            }
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            for (int i = 0; i < W; ++i)
                for (int j = 0; j < W; ++j)
                    acc[i][j] += As[threadIdx.y * W + i][k] * Bs[k][threadIdx.x * W + j];
        __syncthreads();
    }

    for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j) {
            int y = y0 + threadIdx.y * W + i;
            int x = x0 + threadIdx.x * W + j;
            if (y < N && x < N)
                C[y * N + x] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {TS, TS});
