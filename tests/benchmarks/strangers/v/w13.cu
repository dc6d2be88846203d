// Kahan summation, because plain float loses digits for big N
#include <lab.h>

struct Kahan {
    float sum, c;
    __device__ Kahan() : sum(0.0f), c(0.0f) {}
    __device__ void add(float v)
    {
        float y = v - c;
        float t = sum + y;
        c = t - (sum - y);
        sum = t;
    }
};

#define COLS 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x * COLS + threadIdx.x;
    if (row >= N) return;

    Kahan acc[COLS];
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        for (int j = 0; j < COLS; ++j) {
            int cj = col + j * blockDim.x;
            if (cj < N)
                acc[j].add(a * B[k * N + cj]);
        }
    }
    for (int j = 0; j < COLS; ++j) {
        int cj = col + j * blockDim.x;
        if (cj < N)
            C[row * N + cj] = acc[j].sum;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32 * COLS, 8});
