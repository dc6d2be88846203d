#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const auto r = blockIdx.y * blockDim.y + threadIdx.y;
    const auto c = blockIdx.x * blockDim.x + threadIdx.x;

    auto dot = [=](unsigned r, unsigned c) {
        auto acc = 0;
        for (int k = 0; k < N; ++k)
            acc += A[r * N + k] * B[k * N + c];
        return static_cast<float>(acc);
    };

    if (r < N && c < N)
        C[r * N + c] = dot(r, c);
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
