#include <lab.h>

// dot product of one row and one column, four at a time
__device__ float dot(const float *row, const float *col, int n)
{
    float s = 0.0f;
    int k = 0;
    for (; k + 3 < n; k += 4) {
        const float4 v = *reinterpret_cast<const float4 *>(row + k);
        s += v.x * col[(k + 0) * n];
        s += v.y * col[(k + 1) * n];
        s += v.z * col[(k + 2) * n];
        s += v.w * col[(k + 3) * n];
    }
    while (k < n) {
        s += row[k] * col[k * n];
        ++k;
    }
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int gx = blockIdx.x * blockDim.x + threadIdx.x;
    const int gy = blockIdx.y * blockDim.y + threadIdx.y;
    if (gx < N && gy < N)
        C[gy * N + gx] = dot(A + gy * N, B + gx, N);
}

LAUNCH(.block = {128, 2}, .tile = {128, 2});
