#include <lab.h>

#define AT(M, r, c) M[r * N + c]
#define PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = (blockIdx.y * 8 + threadIdx.y) * PER_THREAD;
    if (col >= N) return;

    float sum[PER_THREAD] = {0};
    for (int k = 0; k < N; k++) {
        float b = AT(B, k, col);          // used four times
        for (int i = 0; i < PER_THREAD; i++)
            if (row + i < N)
                sum[i] += AT(A, row + i, k) * b;
    }

    for (int i = 0; i < PER_THREAD; i++) {
        int r = row + i;
        if (r < N) AT(C, r, col) = sum[i];
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
