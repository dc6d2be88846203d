#include <lab.h>

// An odd tile, and a block that walks over it with a stride.
constexpr int WIDTH = 48, HEIGHT = 20, THREADS = 96;

template <typename Body>
__device__ void for_each_in_tile(Body body)
{
    for (int e = threadIdx.x; e < WIDTH * HEIGHT; e += THREADS)
        body(e / WIDTH, e % WIDTH);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int top = blockIdx.y * HEIGHT, left = blockIdx.x * WIDTH;

    for_each_in_tile([&](int i, int j) {
        const int r = top + i, c = left + j;
        if (r >= N || c >= N)
            return;
        float v = 0.0f;
        for (int k = 0; k < N; ++k)
            v += __ldg(A + r * N + k) * __ldg(B + k * N + c);
        C[r * N + c] = v;
    });
}

LAUNCH(.block = {THREADS}, .tile = {WIDTH, HEIGHT});
