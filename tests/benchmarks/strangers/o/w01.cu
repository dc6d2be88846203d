#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[16][16];
    __shared__ float sB[16][64];
    int tx = threadIdx.x, ty = threadIdx.y;
    int by = blockIdx.y * 16, bx = blockIdx.x * 64;
    int r = by + ty;
    float res[4] = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += 16) {
        sA[ty][tx] = r < N && k0 + tx < N ? A[r * N + k0 + tx] : 0;
        for (int j = 0; j < 4; j++) {
            int c = bx + tx + 16 * j;
            sB[ty][tx + 16 * j] = k0 + ty < N && c < N ? B[(k0 + ty) * N + c] : 0;
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float a = sA[ty][k];
            for (int j = 0; j < 4; j++)
                res[j] += a * sB[k][tx + 16 * j];
        }
        __syncthreads();
    }

    // 4 results per thread
    for (int j = 0; j < 4; j++) {
        int c = bx + tx * 4 + j;
        if (r < N && c < N)
            C[r * N + c] = res[j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
