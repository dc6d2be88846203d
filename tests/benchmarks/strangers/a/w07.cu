#include <lab.h>

#define TS 32   // tile size
#define W 4     // elements per thread

// 8 x 32 threads. A thread computes 4 neighbouring columns of one row.
__device__ float4 load4(const float *M, int r, int c, int N)
{
    float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
    if (r >= N) return v;
    if (c + 3 < N) {
        v = *reinterpret_cast<const float4 *>(M + r * N + c);
    } else {
        if (c < N) v.x = M[r * N + c];
        if (c + 1 < N) v.y = M[r * N + c + 1];
        if (c + 2 < N) v.z = M[r * N + c + 2];
    }
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TS][TS];
    __shared__ float4 Bs[TS][TS / W];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty;
    const int col = blockIdx.x * TS + tx * W;

    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k0 = 0; k0 < N; k0 += TS) {
        for (int i = 0; i < W; i++) {
            int k = k0 + tx + i * (TS / W);
            As[ty][tx + i * (TS / W)] = (row < N && k < N) ? A[row * N + k] : 0.f;
        }
        Bs[ty][tx] = load4(B, k0 + ty, col, N);
        __syncthreads();

        for (int k = 0; k < TS; k++) {
            float a = As[ty][k];
            float4 b = Bs[k][tx];
            acc.x += a * b.x;
            acc.y += a * b.y;
            acc.z += a * b.z;
            acc.w += a * b.w;
        }
        __syncthreads();
    }

    if (row < N) {
        float out[W] = {acc.x, acc.y, acc.z, acc.w};
        for (int j = 0; j < W; j++)
            if (col + j < N) C[row * N + col + j] = out[j];
    }
}

LAUNCH(.block = {TS / W, TS}, .tile = {TS, TS});
