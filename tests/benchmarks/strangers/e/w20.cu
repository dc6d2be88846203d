#include <lab.h>

// 4 columns per thread with float4 registers
#define TK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[16][TK];
    __shared__ float Bs[TK][64];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 64 + tx * 4;
    if (row >= N) return;

    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k0 = 0; k0 < N; k0 += TK) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.f;
        for (int j = 0; j < 4; j++)
            Bs[ty][tx * 4 + j] = (k0 + ty < N && col + j < N) ? B[(k0 + ty) * N + col + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < TK; k++) {
            float a = As[ty][k];
            acc.x += a * Bs[k][tx * 4];
            acc.y += a * Bs[k][tx * 4 + 1];
            acc.z += a * Bs[k][tx * 4 + 2];
            acc.w += a * Bs[k][tx * 4 + 3];
        }
        __syncthreads();
    }

    if (col < N) C[row * N + col] = acc.x;
    if (col + 1 < N) C[row * N + col + 1] = acc.y;
    if (col + 2 < N) C[row * N + col + 2] = acc.z;
    if (col + 3 < N) C[row * N + col + 3] = acc.w;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
