#include <lab.h>

#define NT 256

// C is treated as one long array of N*N elements
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    long block = blockIdx.y + (long)blockIdx.x * gridDim.x;
    long id = block * NT + threadIdx.x;
    if (id < (long)N * N) {
        int row = id / N;
        int col = id % N;
        const float *a = A + (long)row * N;
        const float *b = B + col;
        float sum = 0.0f;
        for (int k = 0; k < N; k++) {
            sum += *a * *b;
            a++;
            b += N;
        }
        C[id] = sum;
    }
}

LAUNCH(.block = {NT}, .tile = {NT, 1});
