// Split-K over threadIdx.z with compensated sums, tree reduction in shared memory
#include <lab.h>

namespace {

constexpr int W = 16, H = 4, D = 8;

struct Sum {
    float s = 0.0f, c = 0.0f;
    __device__ Sum &operator+=(float v)
    {
        const float y = v - c, t = s + y;
        c = (t - s) - y;
        s = t;
        return *this;
    }
};

}  // namespace

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[D / 2][H][W];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * W + x, row = blockIdx.y * H + y;
    const bool inside = row < N && col < N;

    // layer z gets the k from N * z / D to N * (z + 1) / D
    Sum sum;
    if (inside)
        for (int k = N * z / D, end = N * (z + 1) / D; k < end; ++k)
            sum += A[row * N + k] * B[k * N + col];

    float value = sum.s;
    for (int h = D / 2; h; h >>= 1) {
        if (z >= h && z < 2 * h)
            part[z - h][y][x] = value;
        __syncthreads();
        if (z < h)
            value += part[z][y][x];
        __syncthreads();
    }
    if (z == 0 && inside)
        C[row * N + col] = value;
}

LAUNCH(.block = {W, H, D}, .tile = {W, H});
