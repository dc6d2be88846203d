#include <lab.h>

// double buffering (ping / pong)
template <int T>
struct Buffers {
    float a[2][T][T];
    float b[2][T][T];
};

constexpr int T = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffers<T> s;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;
    const int steps = (N + T - 1) / T;

    auto load = [&](int slot, int step) {
        const int ka = step * T + tx;
        const int kb = step * T + ty;
        s.a[slot][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        s.b[slot][ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
    };

    load(0, 0);
    __syncthreads();

    float sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        const int ping = step & 1;
        if (step + 1 < steps)
            load(ping ^ 1, step + 1);

        for (int k = 0; k < T; ++k)
            sum += s.a[ping][ty][k] * s.b[ping][k][tx];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
