// expect: ok
// Device functions that are not inlined, with parameters and results of 8 and 16 bits; short indices of rows and columns.
#include <lab.h>

__device__ __noinline__ bool inside(short row, unsigned short col, int n) { return row < n && col < n; }
__device__ __noinline__ unsigned char next(unsigned char step, signed char by) { return step + by; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    short row = blockIdx.y * blockDim.y + threadIdx.y;
    short col = blockIdx.x * blockDim.x + threadIdx.x;
    if (!inside(row, col, N))
        return;
    float sum = 0.0f;
    for (int first = 0; first < N; first += 256) {
        unsigned char k = 255;
        do {
            if (first + k < N)
                sum += A[row * N + first + k] * B[(first + k) * N + col];
            k = next(k, -1);
        } while (k != 255);
    }
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
