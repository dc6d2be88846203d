#include <lab.h>

// small types need fewer registers
typedef short index_t;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const index_t row = blockIdx.y * blockDim.y + threadIdx.y;
    const index_t col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < N) {
        const index_t first = row * N;
        const float *bp = B + col;
        float value = 0.0f;
        for (int k = 0; k < N; k++) {
            value += A[first + k] * (*bp);
            bp += N;
        }
        C[first + col] = value;
    }
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
