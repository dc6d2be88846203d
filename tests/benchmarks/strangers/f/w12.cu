#include <lab.h>

struct Acc2x2 {
    float v00, v01, v10, v11;
};

// adds the outer product (a0,a1) x (b0,b1)
__device__ void rank1(Acc2x2 acc, float a0, float a1, float b0, float b1)
{
    acc.v00 += a0 * b0;
    acc.v01 += a0 * b1;
    acc.v10 += a1 * b0;
    acc.v11 += a1 * b1;
}

__device__ float at(const float *M, int r, int c, int N)
{
    return r < N && c < N ? M[r * N + c] : 0.0f;
}

__device__ void put(float *M, int r, int c, int N, float v)
{
    if (r < N && c < N)
        M[r * N + c] = v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int r = 2 * (blockIdx.y * blockDim.y + threadIdx.y);

    Acc2x2 acc = {0, 0, 0, 0};
    for (int k = 0; k < N; k++)
        rank1(acc, at(A, r, k, N), at(A, r + 1, k, N), at(B, k, c, N), at(B, k, c + 1, N));

    put(C, r,     c,     N, acc.v00);
    put(C, r,     c + 1, N, acc.v01);
    put(C, r + 1, c,     N, acc.v10);
    put(C, r + 1, c + 1, N, acc.v11);
}

LAUNCH(.block = {16, 16}, .tile = {32, 32});
