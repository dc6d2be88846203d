#include <lab.h>

#define BR 8
#define BC 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * BR + threadIdx.y;
    int col = blockIdx.y * BC + threadIdx.x;

    float sum = 0.0f;
    if (row < N && col < N) {
        const float *a = A + row * N;
        const float *const end = a + N;
        const float *b = B + col;
        while (a != end) {
            sum += *a++ * *b;
            b += N;
        }
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {BC, BR}, .tile = {BC, BR});
