#include <lab.h>

__device__ inline float get(const float *M, int n, int r, int c)
{
    return M[r * n + c];
}

__device__ inline void put(float *M, int n, int r, int c, float value)
{
    if (r < n && c < n)
        M[r * n + c] = value;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 8 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    float s = 0;

    if (row < N && col < N)
        for (int k = N; k-- > 0;)
            s += get(A, N, row, k) * get(B, N, k, col);

    put(C, N, col, row, s);
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
