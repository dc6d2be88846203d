#include <lab.h>

// one thread per element, grouped in blocks of 8 x 32
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const auto idx = [N](int r, int c) { return r * N + c; };

    const auto dot = [&](int r, int c) {
        auto acc = 0;
        for (auto k = 0; k < N; ++k)
            acc += A[idx(r, k)] * B[idx(k, c)];
        return acc;
    };

    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < N && c < N)
        C[idx(r, c)] = dot(r, c);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
