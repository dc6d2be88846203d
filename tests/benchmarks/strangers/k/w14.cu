#include <lab.h>
#include <cstddef>

namespace {
constexpr int DIM = 16;

struct Stage {
    float a[DIM][DIM];
    float b[DIM][DIM];
};

__device__ void fill(Stage &s, const float *A, const float *B, int N, int t)
{
    const int r = blockIdx.y * DIM + threadIdx.y, c = blockIdx.x * DIM + threadIdx.x;
    const int ka = t * DIM + threadIdx.x, kb = t * DIM + threadIdx.y;
    s.a[threadIdx.y][threadIdx.x] = r < N && ka < N ? A[(size_t)r * N + ka] : 0.f;
    s.b[threadIdx.y][threadIdx.x] = c < N && kb < N ? B[(size_t)kb * N + c] : 0.f;
}
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stage[2];
    const int last = (N - 1) / DIM;
    int cur = 0;
    float v = 0.f;

    fill(stage[0], A, B, N, 0);
    __syncthreads();
    for (int t = 0; t <= last; ++t) {
        if (t < last)
            fill(stage[cur ^ 1], A, B, N, t + 1);
        __syncthreads();
        for (int k = 0; k < DIM; ++k)
            v += stage[cur].a[threadIdx.y][k] * stage[cur].b[k][threadIdx.x];
        cur ^= 1;
    }

    const int r = blockIdx.y * DIM + threadIdx.y, c = blockIdx.x * DIM + threadIdx.x;
    if (r < N && c < N)
        C[(size_t)r * N + c] = v;
}

LAUNCH(.block = {DIM, DIM});
