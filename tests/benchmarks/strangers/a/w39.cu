// Vectorized kernel
// ------------------
// Every thread computes VEC neighbouring elements of one row.
// B is read with float4, the element of A is used VEC times.
// For sizes that are not a multiple of VEC the elements are loaded one by one.
//
#include <lab.h>

#define BX 16
#define BY 16
#define VEC 4

__device__ float4 loadRow(const float *B, int k, int col, int N)
{
    if (N % VEC == 0 && col + VEC <= N)
        return *(const float4 *)(B + k * N + col);
    float4 v = {0, 0, 0, 0};
    if (col < N) v.x = B[k * N + col];
    if (col + 1 < N) v.y = B[k * N + col + 1];
    if (col + 2 < N) v.z = B[k * N + col + 2];
    if (col + 3 < N) v.w = B[k * N + col + 3];
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BY + threadIdx.y;
    int col = (blockIdx.x * BX + threadIdx.x) * VEC;
    if (row >= N || col >= N)
        return;

    float acc[VEC] = {0, 0, 0, 0};
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        float4 b = loadRow(B, k, col, N);
        for (int j = 0; j < VEC; ++j)
            acc[j] += a * b[j];
    }

    for (int j = 0; j < VEC; ++j)
        if (col + j < N)
            C[row * N + col + j] = acc[j];
}

LAUNCH(.block = {BX, BY}, .tile = {BX * VEC, BY});
