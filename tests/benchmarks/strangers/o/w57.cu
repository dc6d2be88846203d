#include <lab.h>

struct Vec4 { float x, y, z, w; };

__device__ inline void store_if(float *C, int N, int r, int c, float v)
{
    if (r < N && c < N) C[r * N + c] = v;
}

__device__ inline float load_or_zero(const float *M, int N, int r, int c)
{
    return (r < N && c < N) ? M[r * N + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

    Vec4 acc;
    acc.x = acc.y = acc.z = 0.0f;

    for (int k = 0; k < N; ++k) {
        float a = load_or_zero(A, N, r, k);
        acc.x += a * load_or_zero(B, N, k, c);
        acc.y += a * load_or_zero(B, N, k, c + 1);
        acc.z += a * load_or_zero(B, N, k, c + 2);
        acc.w += a * load_or_zero(B, N, k, c + 3);
    }

    store_if(C, N, r, c, acc.x);
    store_if(C, N, r, c + 1, acc.y);
    store_if(C, N, r, c + 2, acc.z);
    store_if(C, N, r, c + 3, acc.w);
}

LAUNCH(.block = {8, 32}, .tile = {32, 32});
