#include <lab.h>
#define BS 16

__device__ inline float row_times_col(const float (*a)[BS], const float (*b)[BS], int i, int j)
{
    float s = 0.0f;
    for (int k = 0; k < BS; ++k) s += a[i][k] * b[k][j];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    int i = threadIdx.y, j = threadIdx.x;
    int gi = blockIdx.y * BS + i, gj = blockIdx.x * BS + j;
    float out = 0.0f;

    for (int kk = 0; kk < N; kk += BS) {
        As[i][j] = (gi < N && kk + j < N) ? A[gi * N + kk + j] : 0.0f;
        Bs[i][j] = (kk + i < N && gj < N) ? B[(kk + i) * N + gj] : 0.0f;
        __syncwarp();
        out += row_times_col(As, Bs, i, j);
        __syncthreads();
    }
    if (gi < N && gj < N) C[gi * N + gj] = out;
}
LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
