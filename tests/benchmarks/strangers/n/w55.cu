#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = (blockIdx.x * blockDim.x + threadIdx.x) * 4;

    auto elementB = [=](int k, int j) { return c + j < N ? B[k * N + c + j] : 0.0f; };
    auto store = [=](const float (&v)[4]) {
        for (int j = 0; j < 4; ++j)
            if (r < N && c < N)
                C[r * N + c + j] = v[j];
    };

    float v[4] = {};
    if (r < N)
        for (int k = 0; k < N; ++k) {
            const float a = A[r * N + k];
            for (int j = 0; j < 4; ++j)
                v[j] += a * elementB(k, j);
        }
    store(v);
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
