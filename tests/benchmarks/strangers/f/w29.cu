#include <lab.h>

__device__ float4 load4(const float *M, int r, int c, int n)
{
    float v[4];
    for (int i = 0; i < 4; ++i)
        v[i] = c + i < n ? M[r * n + c + i] : 0.0f;
    return make_float4(v[0], v[1], v[2], v[3]);
}

__device__ void store4(float *M, int r, int c, int n, float4 v)
{
    if (c < n)     M[r * n + c] = v.x;
    if (c + 1 < n) M[r * n + c + 1] = v.y;
    if (c + 2 < n) M[r * n + c + 2] = v.z;
    if (c + 3 < n) M[r * n + c + 3] = v.w;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = (blockIdx.x * 8 + threadIdx.x) * 4;
    int r = blockIdx.y * 32 + threadIdx.y;
    if (r >= N) return;

    float4 acc = {0, 0, 0, 0};
    for (int k = 0; k < N; ++k) {
        float a = A[r * N + k];
        float4 b = load4(B, k, c, N);
        acc += a * b;
    }
    store4(C, r, c, N, acc);
}

LAUNCH(.block = {8, 32}, .tile = {32, 32});
