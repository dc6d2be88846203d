#include <lab.h>

#define S 16

// ping-pong buffers: the next tiles are fetched while the present ones are used
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[2][S][S], bufB[2][S][S];

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * S + y, col = blockIdx.x * S + x;
    const int nt = (N + S - 1) / S;

    auto fetch = [&](int t, int b) {
        const int ka = t * S + x, kb = t * S + y;
        bufA[b][y][x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        bufB[b][y][x] = kb < N && col < N ? B[kb * N + col] : 0.0f;
    };

    float v = 0.0f;
    fetch(0, 0);
    __syncthreads();

    for (int t = 0; t < nt - 1; ++t)
    {
        const int cur = t & 1;
        if (t + 1 < nt) fetch(t + 1, cur ^ 1);
        #pragma unroll
        for (int k = 0; k < S; ++k)
            v += bufA[cur][y][k] * bufB[cur][k][x];
        __syncthreads();
    }

    if (row < N && col < N) C[row * N + col] = v;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
