/*
    Exercise sheet 5, task 2

    C = A * B
    I put the index computation into its own function so that row-major order is
    written down in one place only.
*/
#include <lab.h>

#define TS 16

int index(int r, int c, int n)
{
    return r * n + c;
}

__device__ float get(const float *M, int r, int c, int n)
{
    if (r < n && c < n)
        return M[index(r, c, n)];
    return 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TS][TS], sb[TS][TS];
    int r = blockIdx.y * TS + threadIdx.y;
    int c = blockIdx.x * TS + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < N; k += TS) {
        sa[threadIdx.y][threadIdx.x] = get(A, r, k + threadIdx.x, N);
        sb[threadIdx.y][threadIdx.x] = get(B, k + threadIdx.y, c, N);
        __syncthreads();
        for (int i = 0; i < TS; i++)
            sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }

    if (r < N && c < N)
        C[index(r, c, N)] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
