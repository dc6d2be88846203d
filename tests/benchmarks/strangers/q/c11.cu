#include <lab.h>

template <int TILE, int PER>
struct Engine {
    float sum[PER];
    int n;

    __device__ explicit Engine(int size) : n(size) {
        for (auto &s : sum) s = 0.f;
    }

    __device__ float at(const float *m, int r, int c) const { return (r < n && c < n) ? m[r * n + c] : 0.f; }

    __device__ void step(const float (&a)[TILE][TILE], const float (&b)[TILE][TILE]) {
        auto mac = [&](int p, int k) { sum[p] += a[threadIdx.y * PER + p][k] * b[k][threadIdx.x]; };
        #pragma unroll
        for (int k = 0; k < TILE; ++k)
            #pragma unroll
            for (int p = 0; p < PER; ++p)
                mac(p, k);
    }
};

constexpr int kTile = 16, kPer = 2;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float a[kTile][kTile];
    __shared__ float b[kTile][kTile];
    Engine<kTile, kPer> e(N);
    const int r0 = blockIdx.y * kTile, c0 = blockIdx.x * kTile;

    for (int k0 = 0; k0 < N; k0 += kTile) {
        #pragma unroll
        for (int p = 0; p < kPer; ++p) {
            int y = threadIdx.y * kPer + p, x = threadIdx.x;
            a[y][x] = e.at(A, r0 + y, k0 + x);
            b[y][x] = e.at(B, k0 + y, c0 + x);
        }
        __syncthreads();
        e.step(a, b);
        __syncthreads();
    }
    for (int p = 0; p < kPer; ++p) {
        int r = r0 + threadIdx.y * kPer + p, c = c0 + threadIdx.x;
        if (r < N && c < N) C[r * N + c] = e.sum[p];
    }
}

LAUNCH(.block = {kTile, kTile / kPer}, .tile = {kTile, kTile});
