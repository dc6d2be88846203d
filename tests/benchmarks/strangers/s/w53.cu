// Lab 4 - CIS 240
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    // keep the next 16 numbers of my row of A in fast memory
    __shared__ float cache[16 * 16];
    float *myRow = cache;

    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;
    float total = 0.0f;

    for (int start = 0; start < N; start += 16) {
        int k = start + threadIdx.x;
        myRow[threadIdx.x] = 0.0f;
        if (row < N && k < N) {
            myRow[threadIdx.x] = A[row * N + k];
        }
        __syncthreads();

        if (col < N) {
            for (int i = 0; i < 16 && start + i < N; i++) {
                total += myRow[i] * B[(start + i) * N + col];
            }
        }
        __syncthreads();
    }

    if (row < N && col < N) {
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
