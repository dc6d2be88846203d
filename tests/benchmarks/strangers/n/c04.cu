#include <lab.h>

template <int T>
class DoubleBuffer {
    float data[2][T][T];
public:
    __device__ float &back(int y, int x, int which) { return data[which][y][x]; }
    __device__ const float &front(int y, int x, int which) const { return data[which][y][x]; }
};

// One barrier per tile: the tile after the next is written only when all have passed the next barrier.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ DoubleBuffer<16> a, b;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0.0f;

    int which = 0;
    for (int k0 = 0; k0 < N; k0 += 16, which = 1 - which) {
        a.back(y, x, which) = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        b.back(y, x, which) = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += a.front(y, k, which) * b.front(k, x, which);
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
