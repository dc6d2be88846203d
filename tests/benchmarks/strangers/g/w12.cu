#include <lab.h>

// up to four elements p[0], p[step], p[2 * step], p[3 * step]
__device__ float4 gather(const float *p, int step, int count)
{
    float4 v;
    switch (count) {
    default: v.w = p[3 * step];
    case 3:  v.z = p[2 * step];
    case 2:  v.y = p[1 * step];
    case 1:  v.x = p[0];
    }
    return v;
}

__device__ float dot4(float4 p, float4 q)
{
    return p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k += 4) {
            int count = N - k;
            float4 a = gather(A + row * N + k, 1, count);
            float4 b = gather(B + k * N + col, N, count);
            sum += dot4(a, b);
        }
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
