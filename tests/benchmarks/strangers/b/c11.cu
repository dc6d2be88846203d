#include <lab.h>

__device__ float4 load4(const float *row, int col, int N)
{
    if ((N & 3) == 0)
        return *(const float4 *)(row + col);
    float4 v = {0, 0, 0, 0};
    switch (N - col) {
    default: v.w = row[col + 3];
    case 3:  v.z = row[col + 2];
    case 2:  v.y = row[col + 1];
    case 1:  v.x = row[col];
    }
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = (blockIdx.x * blockDim.x + threadIdx.x) << 2;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= N || row >= N) return;

    float4 s = {0, 0, 0, 0};
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        const float4 b = load4(B + k * N, col, N);
        s.x += a * b.x;
        s.y += a * b.y;
        s.z += a * b.z;
        s.w += a * b.w;
    }

    float *dst = C + row * N + col;
    if ((N & 3) == 0) {
        *(float4 *)dst = s;
    } else {
        const float v[4] = {s.x, s.y, s.z, s.w};
        for (int i = 0; i < 4 && col + i < N; ++i)
            dst[i] = v[i];
    }
}

LAUNCH(.block = {16, 8}, .tile = {64, 8});
