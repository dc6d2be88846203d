#include <lab.h>
constexpr int T = 16;

// ping-pong buffers: load the next tile while the current one is used
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T];
    __shared__ float b[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * T + tx;
    const int row = blockIdx.y * T + ty;

    auto fetch = [&](int buf, int tile) {
        const int ka = tile * T + tx, kb = tile * T + ty;
        a[buf][ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[buf][ty][tx] = kb < N && col < N ? B[kb * N + col] : 0.0f;
    };

    const int tiles = (N + T - 1) / T;
    int cur = 0;
    float sum = 0.0f;

    fetch(0, 0);
    __syncthreads();
    for (int t = 1; t < tiles; ++t) {
        fetch(cur ^ 1, t);
        for (int k = 0; k < T; ++k)
            sum += a[cur][ty][k] * b[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
