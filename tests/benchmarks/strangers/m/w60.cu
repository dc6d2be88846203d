#include <lab.h>

template <int T>
struct Tiles {
    float a[2][T][T];
    float b[2][T][T];
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int T = 16;
    __shared__ Tiles<T> s;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;

    auto fetch = [&](int buffer, int k0) {
        s.a[buffer][ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        s.b[buffer][ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
    };

    float sum = 0.0f;
    fetch(1, 0);
    for (int k0 = 0, buf = 0; k0 < N; k0 += T, buf ^= 1) {
        __syncthreads();
        if (k0 + T < N)
            fetch(buf ^ 1, k0 + T);
        #pragma unroll
        for (int k = 0; k < T; ++k)
            sum += s.a[buf][ty][k] * s.b[buf][k][tx];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
