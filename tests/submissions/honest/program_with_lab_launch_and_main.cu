// expect: ok
// LAUNCH for the grader and a main for its author, who also builds it with nvcc: 32 threads of x compute 2 rows each.
#include <lab.h>
#include <cstdio>

#define BX 32
#define BY 8

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x, row = (blockIdx.y * BY + threadIdx.y) * 2;
    if (col >= N)
        return;
    float sum[2] = {};
    for (int k = 0; k < N; ++k)
        for (int r = 0; r < 2; ++r)
            if (row + r < N)
                sum[r] += A[(row + r) * N + k] * B[k * N + col];
    for (int r = 0; r < 2; ++r)
        if (row + r < N)
            C[(row + r) * N + col] = sum[r];
}
LAUNCH(.block = {BX, BY}, .tile = {BX, 2 * BY});

int main(int argc, char **)
{
    int N = 100 * argc;
    matmul<<<dim3((N + BX - 1) / BX, (N + 2 * BY - 1) / (2 * BY)), dim3(BX, BY)>>>(0, 0, 0, N);
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
