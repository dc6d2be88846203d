#include <lab.h>

template <int H, int W>
struct Tile {
    float v[H][W + 1];

    __device__ void load(const float *m, int r0, int c0, int n)
    {
        for (int r = threadIdx.y; r < H; r += blockDim.y)
            for (int c = threadIdx.x; c < W; c += blockDim.x)
                v[r][c] = (r0 + r < n && c0 + c < n) ? m[(r0 + r) * n + c0 + c] : 0.0f;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile<48, 12> ta;
    __shared__ Tile<12, 32> tb;
    const int r0 = blockIdx.y * 48, c0 = blockIdx.x * 32;
    float acc[6] = {};

    for (int k0 = 0; k0 < N; k0 += 12) {
        ta.load(A, r0, k0, N);
        tb.load(B, k0, c0, N);
        __syncthreads();
        for (int k = 0; k < 12; ++k) {
            const float b = tb.v[k][threadIdx.x];
            for (int i = 0; i < 6; ++i) acc[i] += ta.v[threadIdx.y + 8 * i][k] * b;
        }
        __syncthreads();
    }

    auto put = [&](int r, int c, float x) { if (r < N && c < N) C[r * N + c] = x; };
    for (int i = 0; i < 6; ++i)
        put(r0 + threadIdx.y + 8 * i, c0 + threadIdx.x, acc[i]);
}

LAUNCH(.block = {32, 8}, .tile = {32, 48});
