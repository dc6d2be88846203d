// Port of my MATLAB script  (C = A*B, three nested loops)
#include <lab.h>

#define IDX(i, j) ((j) * N + (i))

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    const int c = blockIdx.x * 32 + threadIdx.x;
    const int r = blockIdx.y * 8 + threadIdx.y;
    if (r < N && c < N) {
        float acc = 0.f;
        int k = 0;
        while (k < N) {
            acc += A[IDX(r, k)] * B[IDX(k, c)];
            k = k + 1;
        }
        C[IDX(r, c)] = acc; 
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
