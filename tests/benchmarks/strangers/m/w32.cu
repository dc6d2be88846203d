#include <lab.h>

static const int PER = 8;  // 4 was slower
static const int BW = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * BW * PER + threadIdx.x;
    float acc[4];

    for (int j = 0; j < PER; ++j) acc[j] = 0.0f;

    if (row < N) {
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            for (int j = 0; j < PER; ++j)
                if (col + j * BW < N)
                    acc[j] += a * B[k * N + col + j * BW];
        }
        for (int j = 0; j < PER; ++j)
            if (col + j * BW < N)
                C[row * N + col + j * BW] = acc[j];
    }
}

LAUNCH(.block = {BW, 16}, .tile = {BW * PER, 16});
