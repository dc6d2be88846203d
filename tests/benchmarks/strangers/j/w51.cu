#include <lab.h>

template <int W, int H>
struct Shape {
    static constexpr int width = W, height = H, threads = W * H;
};
using Block = Shape<16, 16>;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[Block::threads], b[Block::threads];

    const unsigned t = threadIdx.x;
    const unsigned tr = t / Block::width, tc = t % Block::width;
    const unsigned row = blockIdx.y * Block::height + tr;
    const unsigned col = blockIdx.x * Block::width + tc;
    const unsigned n = N;

    float acc = 0.0f;
    for (unsigned k0 = 0; k0 < n; k0 += Block::width) {
        a[t] = row < n && k0 + tc < n ? A[row * n + k0 + tc] : 0.0f;
        b[t] = k0 + tr < n && col < n ? B[(k0 + tr) * n + col] : 0.0f;
        __syncwarp();
        for (unsigned k = 0; k < Block::width; ++k)
            acc += a[tr * Block::width + k] * b[k * Block::width + tc];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = acc;
}

LAUNCH(.block = {Block::threads}, .tile = {Block::width, Block::height});
