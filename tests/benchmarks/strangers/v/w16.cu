// 4 columns per thread, results are written with one float4 store
#include <lab.h>

#define BX 16
#define BY 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BY][16];
    __shared__ float Bs[16][BX * 4];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BY + ty;
    int col = (blockIdx.x * BX + tx) * 4;

    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k0 = 0; k0 < N; k0 += 16) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        for (int j = 0; j < 4; ++j)
            Bs[ty][4 * tx + j] = (k0 + ty < N && col + j < N) ? B[(k0 + ty) * N + col + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float a = As[ty][k];
            sum.x += a * Bs[k][4 * tx + 0];
            sum.y += a * Bs[k][4 * tx + 1];
            sum.z += a * Bs[k][4 * tx + 2];
            sum.w += a * Bs[k][4 * tx + 3];
        }
        __syncthreads();
    }

    if (row < N) {
        float *out = C + row * N + col;
        if (col + 3 < N) {
            *(float4 *)out = sum;
        } else {
            // right edge
            if (col + 0 < N) out[0] = sum.x;
            if (col + 1 < N) out[1] = sum.y;
            if (col + 2 < N) out[2] = sum.z;
            if (col + 3 < N) out[3] = sum.w;
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * 4, BY});
