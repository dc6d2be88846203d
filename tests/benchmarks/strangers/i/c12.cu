#include <lab.h>

// Half a warp computes four neighbouring elements of C: 16 lanes share k, then sum up with shuffles of width 16.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;            // 0 .. 15
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 4;
    const int n = min(4, N - col);
    float v[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    if (row < N)
        for (int k = lane; k < N; k += 16) {
            float a = A[row * N + k];
            for (int j = 0; j < n; ++j)
                v[j] += a * B[k * N + col + j];
        }

    for (int j = 0; j < 4; ++j)
        for (int d = 1; d < 16; d *= 2)
            v[j] += __shfl_xor_sync(0xffffffffu, v[j], d, 16);

    if (row < N && lane < n) {
        float r = v[0];
        if (lane == 1) r = v[1];
        if (lane == 2) r = v[2];
        if (lane == 3) r = v[3];
        C[row * N + col + lane] = r;
    }
}

LAUNCH(.block = {16, 16}, .tile = {4, 16});
