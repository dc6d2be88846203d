#include <lab.h>

#define TD 16

// Branch-free loads: clamp the index to the matrix instead of an if,
// the threads outside just do not write their result at the end.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[TD][TD], Bt[TD][TD];

    const int lx = threadIdx.x, ly = threadIdx.y;
    const int col = blockIdx.x * TD + lx, row = blockIdx.y * TD + ly;
    const int last = N - 1;
    const int safeRow = min(row, last);
    const int safeCol = min(col, last);

    float out = 0.f;
    for (int k0 = 0; k0 < N; k0 += TD) {
        At[ly][lx] = A[safeRow * N + min(k0 + lx, last)];
        Bt[ly][lx] = B[min(k0 + ly, last) * N + safeCol];
        __syncthreads();
        for (int k = 0; k < TD; ++k)
            out = fmaf(At[ly][k], Bt[k][lx], out);
        __syncthreads();
    }

    if (row <= last && col <= last)
        C[row * N + col] = out;
}

LAUNCH(.block = {TD, TD}, .tile = {TD, TD});
